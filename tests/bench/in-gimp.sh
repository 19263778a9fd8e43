# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# To be sourced by the measurements that run in GIMP, after $top, their path and their arguments:
# goes on in the environment of ./dev, and builds what they measure.

top=${top:?}

die () { printf 'bench: %s\n' "$*" >&2; exit 1; }

enter_dev ()   # SCRIPT ARGUMENT...: outside of ./dev, starts the script there; returns inside
{
  [ -z "${BENCH_INSIDE:-}" ] || return 0
  cd "$top" || exit
  exec "$top/dev" env BENCH_INSIDE=yes "$@"
}

build_release ()   # TARGET...: a release build of these in $build, unless that was given
{
  [ -z "$build" ] || return 0
  build=$top/build/bench-gimp
  {
    [ -d "$build/meson-private" ] ||
      meson setup "$build" "$top" --buildtype=release -Dcuda=disabled
    ninja -C "$build" "$@"
  } >"$build.log" 2>&1 || { tail -n 40 "$build.log" >&2; die "cannot build it; see $build.log"; }
}
