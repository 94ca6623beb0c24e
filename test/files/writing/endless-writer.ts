import { argv, stdout } from 'node:process'
import { writeAtomically } from '../../../src/files/writing/atomic.ts'

// A process that writes a large file again and again, until it is killed.

const [, , path = ''] = argv
const bytes = new Uint8Array(16 * 1024 * 1024)

await writeAtomically(path, bytes)
stdout.write('ready\n')
for (;;) await writeAtomically(path, bytes)
