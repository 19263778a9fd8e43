set -e
. tests/gpu-env.sh
t0=$(date +%s)
meson setup /tmp/b -Dplugins=disabled -Dui=disabled -Dvips=disabled -Dbuildtype=release -Dgpu_capabilities=90 -Dcuda=enabled >/tmp/setup.log 2>&1 || { tail -30 /tmp/setup.log; exit 1; }
ninja -C /tmp/b engine/libwavefront.so.0.2.0 cuda/wavefront-cuda.so tests/fake-devices/test-workers >/tmp/build.log 2>&1 || { tail -40 /tmp/build.log; exit 1; }
echo "built in $(( $(date +%s) - t0 )) s"
export WAVEFRONT_MODULE_DIR=/tmp/b/cuda LD_LIBRARY_PATH=/tmp/b/engine:$LD_LIBRARY_PATH
for p in random long-way files; do timeout 60 /tmp/b/tests/fake-devices/test-workers -p /workers/$p 2>/dev/null | grep -E "^ok|^not ok" || true; done
timeout 230 tests/bench/run --here --library /tmp/b/engine/libwavefront.so.0.2.0 --only devices --rounds 3 --devices-sides ${SIDES:-16384,32768,98304} 2>&1 | tail -40 || true
echo "all $(( $(date +%s) - t0 )) s"
