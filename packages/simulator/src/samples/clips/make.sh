#!/bin/sh
# Makes the simulator's clips anew. They are kept in the repository, so only a change of them needs ffmpeg.
set -eu
cd "$(dirname "$0")"
make() {
  ffmpeg -v error -y -f lavfi \
    -i "gradients=s=$2:d=3:r=24:speed=0.02:seed=7:n=4:c0=0x0f766e:c1=0xf59e0b:c2=0x312e81:c3=0xfb7185" \
    -c:v libvpx-vp9 -crf 36 -b:v 0 -g 24 -pix_fmt yuv420p -cues_to_front 1 -fflags +bitexact "$1.webm"
}
make 1-1 320x320
make 4-3 400x300
make 3-4 300x400
make 16-9 448x252
make 9-16 252x448
