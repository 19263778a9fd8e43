/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where paces are kept: wavefront/pace.ini in the user's cache folder.
 *
 * A group of the file belongs to one device as this version of the library finds it on this
 * machine: version, processor, number of processors, and of a GPU its model and driver are the
 * group's name.  So a pace that was measured elsewhere or before a change is not found, and
 * machines that share a home each have their own.
 *
 * The file is read once in a process.  It is replaced as a whole, by what it has at that moment
 * and what this process has measured, so a reader never sees half of it; of two processes that
 * write at the same moment one may lose what it has measured, which is measured again then.
 * Whatever cannot be read or written is treated as if it were not there.
 *
 * WAVEFRONT_PACE names another file, whose groups are called "cpu" and "cuda:0", for tests and for
 * machines whose administrator sets the paces.  It is never written.  A program with more rights
 * than its user (see backend.c) reads and writes no file.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "context-private.h"
#include "pace.h"
#include "whole-file.h"

/* A file with more than this is not ours. */
#define MAX_BYTES  (1 << 18)

/* Devices that are kept, those measured last. */
#define MAX_GROUPS 16

/* How a device is found again; kept as long as the process.  @model: of a GPU */
typedef struct
{
  char  *group;
  char  *model;
  guint  n_units;
} Identity;

static GMutex      saving;       /* one after the other, so that the last one has everything */
static GMutex      lock;
static GHashTable *identities;   /* of the name of a device */
static GKeyFile   *kept;         /* what the file had */
static GKeyFile   *measured;     /* what this process has measured */


/*  Identity  */

static char *
device_name (const WfPlace *place)
{
  return wf_device_name (place->backend, place->device);
}

/* What cannot stand in the name of a group. */
static char *
clean (char *name)
{
  for (char *at = name; *at; at++)
    if (*at == '[' || *at == ']' || (guchar) *at < ' ' || (guchar) *at > '~')
      *at = '_';
  return name;
}

static char *
describe (const WfBackend *backend,
          guint            device,
          guint           *n_units)
{
  WfDevice *found       = g_new0 (WfDevice, 1);
  char     *description = NULL;

  if (backend->describe (device, found, NULL))
    {
      description = g_strdup (found->description);
      *n_units    = found->n_units;
    }
  wf_device_free (found);
  return description ? description : g_strdup ("");
}

static Identity *
identity_new (const WfPlace *place)
{
  Identity        *identity  = g_new0 (Identity, 1);
  g_autofree char *name      = device_name (place);
  guint            n_cpus    = g_get_num_processors ();
  g_autofree char *processor = describe (wf_backend_cpu (), 0, &n_cpus);

  identity->n_units = 1;
  if (place->backend == wf_backend_cpu ())
    {
      identity->n_units = n_cpus;
      identity->group   = g_strdup_printf ("%s; %s; %u; %s", WF_VERSION, processor, n_cpus, name);
    }
  else
    {
      identity->model = describe (place->backend, place->device, &identity->n_units);
      identity->group = g_strdup_printf ("%s; %s; %u; %s; %s; %s", WF_VERSION, processor, n_cpus,
                                         name, identity->model,
                                         place->backend->driver ? place->backend->driver : "");
    }
  clean (identity->group);
  return identity;
}

static const Identity *
find_identity (const WfPlace *place)
{
  g_autofree char *name = device_name (place);
  Identity        *found;

  if (! identities)
    identities = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  found = g_hash_table_lookup (identities, name);
  if (! found)
    {
      found = identity_new (place);
      g_hash_table_insert (identities, g_steal_pointer (&name), found);
    }
  return found;
}

/* The multiprocessors of a GPU, the processors of the CPU. */
guint
wf_pace_count_units (const WfPlace *place)
{
  guint n_units;

  g_mutex_lock (&lock);
  n_units = find_identity (place)->n_units;
  g_mutex_unlock (&lock);
  return n_units;
}

/* Whether both are GPUs of one model, whose paces are measured and not set by hand. */
gboolean
wf_pace_are_alike (const WfPlace *a,
                   const WfPlace *b)
{
  const char *model;
  gboolean    alike;

  if (a->backend != b->backend || secure_getenv ("WAVEFRONT_PACE"))
    return FALSE;
  g_mutex_lock (&lock);
  model = find_identity (a)->model;
  alike = model && *model && g_strcmp0 (model, find_identity (b)->model) == 0;
  g_mutex_unlock (&lock);
  return alike;
}

/* The name of the device's group, to be freed. */
char *
wf_pace_store_name (const WfPlace *place)
{
  char *name;

  if (secure_getenv ("WAVEFRONT_PACE"))
    return device_name (place);
  g_mutex_lock (&lock);
  name = g_strdup (find_identity (place)->group);
  g_mutex_unlock (&lock);
  return name;
}


/*  The file  */

/* To be freed; NULL where no file is to be read. */
static char *
file_path (void)
{
  const char *fixed = secure_getenv ("WAVEFRONT_PACE");

  if (getauxval (AT_SECURE))
    return NULL;
  return fixed ? g_strdup (fixed)
               : g_build_filename (g_get_user_cache_dir (), "wavefront", "pace.ini", NULL);
}

/* To be freed; NULL for what is no plain file of a sensible size.  A pipe must not make anybody
 * wait.
 */
static char *
read_plain (const char *path,
            gsize      *length)
{
  const int        file  = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  g_autofree char *bytes = NULL;
  struct stat      found;
  gssize           n     = -1;

  if (file < 0)
    return NULL;
  if (fstat (file, &found) == 0 && S_ISREG (found.st_mode) && found.st_size <= MAX_BYTES)
    {
      bytes = g_malloc ((gsize) found.st_size + 1);
      n     = read (file, bytes, (gsize) found.st_size);
    }
  close (file);
  if (n < 0)
    return NULL;
  *length = (gsize) n;
  return g_steal_pointer (&bytes);
}

/* Empty where there is nothing that can be read. */
static GKeyFile *
load (void)
{
  GKeyFile        *file   = g_key_file_new ();
  g_autofree char *path   = file_path ();
  gsize            length = 0;
  g_autofree char *bytes  = path ? read_plain (path, &length) : NULL;

  if (bytes && ! (g_utf8_validate (bytes, (gssize) length, NULL) &&
                  g_key_file_load_from_data (file, bytes, length, G_KEY_FILE_NONE, NULL)))
    {
      g_key_file_unref (file);
      file = g_key_file_new ();
    }
  return file;
}

static void
ensure_loaded (void)
{
  if (kept)
    return;
  kept     = load ();
  measured = g_key_file_new ();
}

/* Forgets everything that is not in the file, and reads that again. */
void
wf_pace_store_reload (void)
{
  g_mutex_lock (&lock);
  g_clear_pointer (&kept, g_key_file_unref);
  g_clear_pointer (&measured, g_key_file_unref);
  g_mutex_unlock (&lock);
}

/* @value: result, to be freed */
gboolean
wf_pace_store_get (const WfPlace *place,
                   const char    *key,
                   char         **value)
{
  g_autofree char *group = wf_pace_store_name (place);

  g_mutex_lock (&lock);
  ensure_loaded ();
  *value = g_key_file_get_value (measured, group, key, NULL);
  if (! *value)
    *value = g_key_file_get_value (kept, group, key, NULL);
  g_mutex_unlock (&lock);
  return *value != NULL;
}

void
wf_pace_store_set (const WfPlace *place,
                   const char    *key,
                   const char    *value)
{
  g_autofree char *group = wf_pace_store_name (place);

  g_mutex_lock (&lock);
  ensure_loaded ();
  g_key_file_set_value (measured, group, key, value);
  g_mutex_unlock (&lock);
}

static void
copy_group (GKeyFile   *from,
            GKeyFile   *to,
            const char *group)
{
  g_auto (GStrv) keys = g_key_file_get_keys (from, group, NULL, NULL);

  for (guint i = 0; keys && keys[i]; i++)
    {
      g_autofree char *value = g_key_file_get_value (from, group, keys[i], NULL);

      if (value)
        g_key_file_set_value (to, group, keys[i], value);
    }
}

/* What was measured last is to stand last. */
static void
merge_group (GKeyFile   *file,
             const char *group)
{
  g_autoptr (GKeyFile) earlier = g_key_file_new ();

  copy_group (file, earlier, group);
  g_key_file_remove_group (file, group, NULL);
  copy_group (earlier, file, group);
  copy_group (measured, file, group);
}

static GKeyFile *
merge (void)
{
  GKeyFile       *file   = load ();
  g_auto (GStrv)  groups = g_key_file_get_groups (measured, NULL);
  g_auto (GStrv)  all    = NULL;
  gsize           n      = 0;

  for (guint i = 0; groups[i]; i++)
    merge_group (file, groups[i]);
  all = g_key_file_get_groups (file, &n);
  for (gsize i = 0; i + MAX_GROUPS < n; i++)
    g_key_file_remove_group (file, all[i], NULL);
  return file;
}

/* The file's new contents, to be freed. */
static char *
format (gsize *length)
{
  g_autoptr (GKeyFile) merged = NULL;

  g_mutex_lock (&lock);
  ensure_loaded ();
  merged = merge ();
  g_mutex_unlock (&lock);
  return g_key_file_to_data (merged, length, NULL);
}

/* Keeps what this process has measured; fails with %G_FILE_ERROR or #GIOErrorEnum. */
gboolean
wf_pace_store_save (GError **error)
{
  g_autofree char   *path   = file_path ();
  g_autofree char   *folder = path ? g_path_get_dirname (path) : NULL;
  g_autofree char   *bytes  = NULL;
  g_autoptr (GFile)  file   = NULL;
  gsize              length;
  gboolean           done;

  if (! path || secure_getenv ("WAVEFRONT_PACE"))
    return TRUE;
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      const int reason = errno;

      g_set_error (error, G_FILE_ERROR, (gint) g_file_error_from_errno (reason), "%s: %s", folder,
                   g_strerror (reason));
      return FALSE;
    }
  file = g_file_new_for_path (path);
  g_mutex_lock (&saving);
  bytes = format (&length);
  done  = wf_whole_file_write (file, bytes, length, error);
  g_mutex_unlock (&saving);
  return done;
}
