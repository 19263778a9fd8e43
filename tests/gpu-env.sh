# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# To be sourced in the project's root on a machine that has nvcc, gcc, meson and
# ninja but no GLib: lets meson find a GLib unpacked from Debian's packages in .glib/.
staged_glib=$PWD/.glib/root/usr
export PKG_CONFIG_LIBDIR="$staged_glib/lib/x86_64-linux-gnu/pkgconfig:$staged_glib/share/pkgconfig"
export PKG_CONFIG_SYSROOT_DIR="$PWD/.glib/root"
export LD_LIBRARY_PATH="$staged_glib/lib/x86_64-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export LIBRARY_PATH="$staged_glib/lib/x86_64-linux-gnu"
export PATH="/usr/local/cuda/bin:$PATH"
