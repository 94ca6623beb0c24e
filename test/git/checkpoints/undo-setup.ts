import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { never, openProject } from '../project.ts'

const bytes = Uint8Array.from({ length: 3_000 }, (_, i) => (i * 7) % 256)

const files = {
  'src/a.ts': 'one\ntwo\n',
  'src/b.ts': 'b\r\nmixed\n',
  'bin/run': '#!/bin/sh\n',
  'data.bin': bytes,
  'with space/ünï "q" $x\nline.txt': 'odd\n',
  'left.txt': 'left alone\n',
}

/** A project with every kind of file. */
export async function varied() {
  const project = await openProject({ files })
  chmodSync(join(project.root, 'bin/run'), 0o755)
  project.run('ln -s src/a.ts link; ln -s nowhere dangling; ln -s src folder-link')
  return project
}

export const signal = never()

/** Changes of all kinds, made by commands. */
export const upheaval = `
  sed -i s/one/ONE/ src/a.ts
  rm src/b.ts; rm -r 'with space'
  mv data.bin moved.bin
  chmod -x bin/run
  ln -sf elsewhere link; rm dangling
  rm folder-link; mkdir folder-link; echo in > folder-link/x
  mkdir -p new/deep; echo new > new/deep/file; printf '\\0\\1' > zero
  touch left.txt
`
