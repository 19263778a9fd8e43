/* SPDX-License-Identifier: GPL-3.0-or-later */

/* GLib's locks by those of POSIX.  GLib's own are made of futexes inside the library, where
 * ThreadSanitizer does not see them, so it would take all that they protect for races.  A program
 * that has these functions, and exports them, gives them to the engine as well.
 *
 * GLib calls its own lock of error domains without the table of symbols, so it cannot be replaced:
 * what ThreadSanitizer says about it is suppressed.
 */

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include <glib.h>


const char *__tsan_default_suppressions (void);

const char *
__tsan_default_suppressions (void)
{
  return "race:g_rw_lock_reader_lock\n";
}

/* The lock that *@place points to, which is made when it is first used. */
#define GET(type, name) \
  static type * \
  get_##name (gpointer *place) \
  { \
    type *lock = __atomic_load_n (place, __ATOMIC_ACQUIRE); \
    type *made; \
\
    if (lock) \
      return lock; \
    made = malloc (sizeof *made); \
    type##_make (made); \
    lock = NULL; \
    if (__atomic_compare_exchange_n ((type **) place, &lock, made, 0, __ATOMIC_ACQ_REL, \
                                     __ATOMIC_ACQUIRE)) \
      return made; \
    free (made); \
    return lock; \
  }

static void
pthread_mutex_t_make (pthread_mutex_t *mutex)
{
  pthread_mutex_init (mutex, NULL);
}

static void
pthread_cond_t_make (pthread_cond_t *cond)
{
  pthread_condattr_t attributes;

  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (cond, &attributes);
  pthread_condattr_destroy (&attributes);
}

GET (pthread_mutex_t, mutex)
GET (pthread_cond_t, cond)

void
g_mutex_init (GMutex *mutex)
{
  mutex->p = NULL;
}

void
g_mutex_clear (GMutex *mutex)
{
  if (mutex->p)
    pthread_mutex_destroy (mutex->p);
  free (mutex->p);
}

void
(g_mutex_lock) (GMutex *mutex)
{
  pthread_mutex_lock (get_mutex (&mutex->p));
}

gboolean
(g_mutex_trylock) (GMutex *mutex)
{
  return pthread_mutex_trylock (get_mutex (&mutex->p)) == 0;
}

void
(g_mutex_unlock) (GMutex *mutex)
{
  pthread_mutex_unlock (get_mutex (&mutex->p));
}

void
g_cond_init (GCond *cond)
{
  cond->p = NULL;
}

void
g_cond_clear (GCond *cond)
{
  if (cond->p)
    pthread_cond_destroy (cond->p);
  free (cond->p);
}

void
g_cond_wait (GCond  *cond,
             GMutex *mutex)
{
  pthread_cond_wait (get_cond (&cond->p), get_mutex (&mutex->p));
}

gboolean
g_cond_wait_until (GCond  *cond,
                   GMutex *mutex,
                   gint64  end_time)
{
  const struct timespec end = { end_time / G_USEC_PER_SEC, end_time % G_USEC_PER_SEC * 1000 };

  return pthread_cond_timedwait (get_cond (&cond->p), get_mutex (&mutex->p), &end) != ETIMEDOUT;
}

void
g_cond_signal (GCond *cond)
{
  pthread_cond_signal (get_cond (&cond->p));
}

void
g_cond_broadcast (GCond *cond)
{
  pthread_cond_broadcast (get_cond (&cond->p));
}
