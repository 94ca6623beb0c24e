#!/bin/sh
# Installs pipe as one file into ~/.local/bin. PIPE_INSTALL_DIR names another folder, PIPE_RELEASE another address of the files.
set -eu

fail() { echo "install.sh: $1" >&2; exit 1; }

main() {
  release=${PIPE_RELEASE:-@RELEASE@}
  folder=${PIPE_INSTALL_DIR:-$HOME/.local/bin}
  case $(uname -s)-$(uname -m)-$(ldd --version 2>&1 | grep -o musl | head -n 1) in
    Linux-x86_64-) file=pipe-linux-x64 ;;
    Linux-aarch64-) file=pipe-linux-arm64 ;;
    Darwin-arm64-) file=pipe-darwin-arm64 ;;
    *) fail "there is no one file for this machine. With Node.js 20.19 or newer: npm install -g pipe-agent" ;;
  esac
  draft=$(mktemp -d)
  trap 'rm -rf "$draft"' EXIT
  cd "$draft"
  for name in SHA256SUMS "$file.tar.xz"; do
    curl -fsSL -o "$name" "$release/$name" || fail "cannot fetch $release/$name"
  done
  grep " $file.tar.xz\$" SHA256SUMS >sum || fail "SHA256SUMS does not name $file.tar.xz"
  if command -v sha256sum >/dev/null; then check=sha256sum; else check='shasum -a 256'; fi
  $check -c sum >/dev/null || fail "$file.tar.xz is not what SHA256SUMS says: nothing was installed"
  tar -xf "$file.tar.xz" || fail "cannot unpack $file.tar.xz: install xz"
  mkdir -p "$folder" && mv "$file" "$folder/.$file" && mv "$folder/.$file" "$folder/pipe"
  echo "installed $folder/pipe, version $("$folder/pipe" --version)"
  case ":$PATH:" in *":$folder:"*) ;; *) echo "add it to your PATH: export PATH=\"$folder:\$PATH\"" ;; esac
}
main
