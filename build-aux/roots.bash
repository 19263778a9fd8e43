# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Sourced by the scripts of ./check --release: clean roots of Debian, made by mmdebstrap, and
# commands in them. The caller is root, and runs in a mount namespace of its own (own_namespace).

say () { printf '# %s\n' "$*"; }
die () { printf 'Bail out! %s\n' "$*"; exit 1; }

# Starts the script again in a mount namespace of its own, whose mounts end with it.
own_namespace ()   # ARGUMENT...
{
  local script=$PWD/build-aux/${0##*/}
  [ "$EUID" = 0 ] || { echo "1..0 # SKIP clean roots are made by root only"; exit 0; }
  [ -z "${WAVEFRONT_NAMESPACE:-}" ] || return 0
  export WAVEFRONT_NAMESPACE=own
  if mountpoint -q /; then
    exec unshare --mount --propagation private "$script" "$@"
  fi
  # In a root of ./dev / is a folder, of which no namespace can be made. Its mounts are private.
  # shellcheck disable=SC2016
  exec unshare --mount --propagation unchanged sh -euc '
    mkdir -p /run/wavefront-root
    mount --rbind / /run/wavefront-root
    exec chroot /run/wavefront-root env -C "$@"' sh "$PWD" "$script" "$@"
}

# The mirror of this machine, or nothing.
mirror ()
{
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' \
    'Label: Debian' 2>/dev/null | grep -E '^https?://' | head -n 1 || :
}

# Makes FOLDER a root of SUITE with its lists of packages; LOG takes what mmdebstrap says.
make_root ()   # FOLDER SUITE LOG OPTION...
{
  local folder=$1 suite=$2 log=$3 place setting options=()
  shift 3
  while read -r setting; do
    options+=("--aptopt=$setting")
  done < <(apt-config dump --format '%f "%v"%n' Acquire::http::Proxy Acquire::https::Proxy \
             Acquire::Check-Valid-Until Acquire::Check-Date Acquire::Retries \
             Acquire::http::Timeout Acquire::https::Timeout 2>/dev/null | grep -v ' ""$')
  place=$(mirror)
  remove_root "$folder"
  mkdir -p "${folder%/*}"
  mmdebstrap --mode=root --variant=minbase --skip=cleanup/apt/lists \
    --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Languages "none"' \
    --dpkgopt=force-unsafe-io "${options[@]}" "$@" "$suite" "$folder" ${place:+"$place"} \
    </dev/null >>"$log" 2>&1 || { tail -n 30 "$log" | sed 's/^/# /'; die "no root of Debian $suite: see $log"; }
  # no service is started in it
  printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
  chmod 755 "$folder/usr/sbin/policy-rc.d"
  chroot "$folder" useradd --create-home builder
}

remove_root ()   # FOLDER
{
  rm -rf --one-file-system "$1"
}

# Runs a command as root in the root FOLDER; BINDS has lines SOURCE PLACE of folders to be seen.
in_root ()   # FOLDER COMMAND...
{
  local folder=$1
  shift
  # shellcheck disable=SC2016
  unshare --mount --propagation private --pid --fork --kill-child \
    env root="$folder" binds="${BINDS:-}" sh -euc '
      mount -t proc proc "$root/proc"
      mount --rbind /dev "$root/dev"
      mount -t tmpfs -o mode=755 wavefront "$root/run"
      printf "%s\n" "$binds" | while read -r source place; do
        [ -n "$source" ] || continue
        mkdir -p "$root$place"
        mount --bind "$source" "$root$place"
      done
      [ ! -s /etc/resolv.conf ] || cp -fL /etc/resolv.conf "$root/etc/resolv.conf"
      exec chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
    ' sh "$@" </dev/null
}

# The same as the user builder, without a network.
as_builder ()   # FOLDER COMMAND...
{
  local folder=$1
  shift
  in_root "$folder" unshare --net setpriv --reuid builder --regid builder --init-groups \
    env HOME=/home/builder USER=builder LOGNAME=builder "$@"
}

# The time of the sources: that of the last commit, or else of the newest file in LIST.
time_of_sources ()   # LIST
{
  git -c safe.directory="$PWD" log -1 --format=%ct 2>/dev/null ||
    tr '\n' '\0' <"$1" | xargs -0 stat -c %Y | sort -n | tail -n 1
}

version_of_sources ()
{
  sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build
}

# Packs the files of LIST as an archive with the folder NAME, the same bytes from the same files.
pack_sources ()   # LIST NAME TIME ARCHIVE
{
  tar --sort=name --format=gnu --mtime="@$3" --owner=0 --group=0 --numeric-owner \
    --mode=u+rw,go=rX --transform "s,^,$2/,S" --verbatim-files-from --files-from="$1" -cf - |
    gzip -n >"$4"
}

# The caller counts points, from 0.
ok ()       { points=$((points + 1)); echo "ok $points - $1"; }
not_ok ()   { points=$((points + 1)); echo "not ok $points - $1"; }

# One point of TAP; what the command prints is kept in LOG and shown if it fails.
point ()   # TITLE LOG COMMAND...
{
  local title=$1 log=$2
  shift 2
  if "$@" >"$log" 2>&1; then
    ok "$title"
  else
    tail -n 60 "$log" | sed 's/^/# /'
    not_ok "$title"
    return 1
  fi
}
