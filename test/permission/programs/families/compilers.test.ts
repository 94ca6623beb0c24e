import { describe } from 'vitest'
import {
  allButEditingSource,
  allowedBy,
  byDefault,
  refusedDespite,
} from '../../../support/permission/judged-lines.ts'

describe('compilers and checkers', () => {
  byDefault.allows('only reads', ['go version'])

  byDefault.asks('may do more, or read outside the project', [
    'go version -m /bin/ls',
    'go version x',
    'go run version',
  ])

  byDefault.allows('shows what an object file holds', [
    'nm -C a.o',
    'size a.o',
    'readelf -h a.o',
    'objdump -d a.o | head',
  ])

  byDefault.asks('may load a plugin, or read files that the object names', [
    'nm --plugin ./x.so a.o',
    'nm --plug=./x.so a.o',
    'nm @options',
    'readelf -w a.o',
    'readelf --debug-dump=follow-links a.o',
    'objdump -dS a.o',
    'objdump --dwarf=follow-links a.o',
    'readelf -h /etc/x.o',
  ])

  byDefault.allows('only asks for a version', [
    'javac --version',
    'gcc --version',
    'c++ -v',
    'clang --version',
    'make --version',
    'cmake --version',
    '/usr/bin/gcc --version',
  ])

  byDefault.asks('may do more than ask for a version', ['rustc --version', 'gcc -v a.c', 'make -v all'])

  refusedDespite('runs its input', [['make -f -', 'cat a.txt | make -f -']])

  refusedDespite('does more than its first words say', [
    ['go test:*', 'go test -exec x ./...'],
    ['go test:*', 'go test -toolexec=x ./...'],
    ['go build:*', 'go build -ldflags "-s -extld x" .'],
    ['go build:*', 'go build -ldflags "-X" .'],
    ['go build:*', 'go build -ldflags "-s  -w" .'],
    ['go build:*', 'go build -ldflags=-extld=x .'],
    ['go build:*', 'go build -ldflags=-s -ldflags=-linkmode=external .'],
    ['go build:*', 'go build -ldflags'],
    ['go run:*', 'go run -tags x -exec x .'],
    ['make:*', 'make -C backend test'],
    ['make:*', 'make --directory=backend test'],
    ['make test:*', 'make test V=1 MAKEFILES=1'],
    ['make test:*', 'make test V=1 PATH=1'],
    ['make test:*', 'make test V=1 IFS=1'],
    ['make test:*', 'make test V=1 LD_PRELOAD=1'],
    ['make test:*', 'make test V=1 CFLAGS=1'],
    ['make test:*', 'make test V=1 BASH_ENV=1'],
    ['go:*', 'go -C sub build'],
    ['make test:*', 'make test SHELL=/x'],
    ['make test:*', 'make test CC=x'],
    ['make test:*', 'make test -f x'],
    ['make test:*', 'make test --eval=x:'],
    ['make test:*', 'make test -sC x'],
    ['gcc:*', 'gcc -wrapper x a.c'],
  ])

  allowedBy([
    ['go test:*', 'go test -run X ./...'],
    ['make test:*', 'make test -j4'],
    ['make test:*', 'make test VERBOSE=1'],
    ['go build:*', 'go build -o bin/app ./cmd/app'],
    ['go build:*', 'go build -ldflags "-s -w -X main.v=1" .'],
    ['go build:*', 'go build --ldflags=-s -ldflags "-X=main.v=1 " .'],
    ['go run:*', 'go run . -o out.txt'],
    ['gcc:*', 'gcc -Wall -O2 a.c'],
  ])

  allButEditingSource.denies('edits the folder', [
    'gcc -o src/a.ts x',
    'go build -o src/a.ts',
    'tsc --outDir src',
    'tsc src/b.ts',
    'pytest --junitxml=src/a.xml',
    'pytest --basetemp src/x',
  ])

  allButEditingSource.denies('writes beside the sources', [
    'tsc -p src',
    'tsc --build src/tsconfig.json',
    'go fmt ./src/...',
    'cmake -E copy a src/a',
    'cmake -E remove src/a.ts',
    'meson setup src/build',
  ])

  allButEditingSource.asks('changes what it finds, which may be in the folder', [
    'go fmt ./...',
    'go generate ./...',
    'go fix',
    'tsc -p .',
  ])

  allButEditingSource.allows('writes elsewhere, or nothing', [
    'go vet ./...',
    'go fmt ./lib/...',
    'go fmt -n ./...',
    'go mod vendor',
    'tsc',
    'tsc -p lib',
    'tsc -p src --noEmit',
    'tsc -p src --outDir=dist',
    'cmake -E copy src/a.ts a',
    'pytest --junitxml=out.xml src',
  ])

  allButEditingSource.asks('works in the folder', [
    'make -C src',
    'make -kCsrc clean',
    'make --directory=src',
    'ninja -C src',
    'mvn -f src clean',
    'gradle --project-dir=src clean',
    'cmake --build src/build',
  ])

  allButEditingSource.allows('only reads the folder', ['tsc --outDir dist src/a.ts', 'gcc -o out src/a.c'])

  refusedDespite('sets what make runs or loads', [
    ['make:*', 'make CC=x'],
    ['make:*', 'make A-B=1'],
    ['make:*', 'make PATH=1'],
    ['make:*', 'make V=nope'],
    ['make:*', 'make V='],
    ['make:*', 'make -kf x'],
    ['make:*', 'make --include-dir=x'],
  ])

  allowedBy([
    ['make:*', 'make V=1 DEBUG=yes STATIC=no'],
    ['make:*', 'make -k --silent all'],
    ['make:*', 'make =x'],
  ])
})
