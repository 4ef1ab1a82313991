#!/usr/bin/env bash
# Makes sure that everything Darrow is built with is there. Installs what is missing on Debian and its relatives
# (as root or with sudo); elsewhere it says what to install. Silent if nothing is missing.
set -euo pipefail
python=${PYTHON:-python3}
missing=()

need_command() { command -v "$1" >/dev/null || missing+=("$2"); }
need_command g++ g++
need_command make make
need_command cmake cmake
need_command pkg-config pkg-config
need_command "$python" python3

# Headers: one run of the preprocessor names the packages of those that it does not find.
headers=(
  libdeflate.h libdeflate-dev
  zlib.h zlib1g-dev
  bzlib.h libbz2-dev
  fmt/format.h libfmt-dev
  CLI/CLI.hpp libcli11-dev
  re2/re2.h libre2-dev
  gtest/gtest.h libgtest-dev
)
if command -v g++ >/dev/null; then
  mapfile -t found < <(printf '#if !__has_include(<%s>)\n"%s"\n#endif\n' "${headers[@]}" | g++ -E -P -x c++ - | tr -d '"')
  for package in "${found[@]}"; do [[ -z $package ]] || missing+=("$package"); done
else
  for ((i = 1; i < ${#headers[@]}; i += 2)); do missing+=("${headers[i]}"); done
fi

# Python: the module venv and the headers, which Debian packages apart.
python_is_complete='import ensurepip, os, sys, sysconfig, venv
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))'
if ! "$python" -c "$python_is_complete" 2>/dev/null; then missing+=(python3-venv python3-dev); fi

((${#missing[@]})) || exit 0

if command -v apt-get >/dev/null; then
  if [[ $(id -u) == 0 ]]; then as_root=(env); else as_root=(sudo env); fi
  if command -v "${as_root[0]}" >/dev/null; then
    echo "Installing ${missing[*]}"
    "${as_root[@]}" apt-get -qq update &&
      "${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "${missing[@]}" >/dev/null &&
      exit 0
  fi
fi
echo "Please install these packages (names of Debian), then try again: ${missing[*]}" >&2
exit 1
