#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# if_gpu.sh COMMAND...: runs it where the driver of an NVIDIA GPU is, and else skips it (exit code 77) without starting MPI to see.
[ -e /dev/nvidiactl ] || [ -e /dev/dxg ] || nvidia-smi -L >/dev/null 2>&1 || { echo "skipped: this machine has no GPU"; exit 77; }
exec "$@"
