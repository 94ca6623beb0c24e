import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { expectRun, start } from '../../support/programs/program.ts'
import { isOneFile, openWorld, root } from '../../support/programs/world.ts'

/** Prints whether V8 rejects the code that was kept for a chunk. Behind it stands a checksum of four bytes. */
const check = `
  const { readFileSync } = require('node:fs')
  const [, chunk, kept] = process.argv
  const cachedData = readFileSync(kept).subarray(0, -4)
  console.log(new (require('node:vm').Script)(readFileSync(chunk, 'latin1'), { filename: chunk, cachedData }).cachedDataRejected)`

// The build keeps code for a Node without flags. One file has its own.
it.skipIf(isOneFile)(
  'a run whose command needed the grammar of bash keeps code that the next one takes',
  async () => {
    const { pipe, server, home, cwd, env } = await openWorld()
    const flagged = { ...env, NODE_OPTIONS: '--stack-trace-limit=20' }
    server.reply(use(['bash', { command: 'for i in 1 2; do echo $i; done | wc -l' }]), say('Two.'))
    expectRun(await pipe(['--yolo', 'count'], { env: flagged }), { stdout: 'Two.\n' })
    const [folder = ''] = await readdir(join(home, 'code'))
    const names = await readdir(join(home, 'code', folder))
    expect(names).toEqual(expect.arrayContaining(['start.js', expect.stringMatching(/^tree-sitter-/)]))
    for (const name of names) {
      const words = ['-e', check, join(root, 'dist/cli', name), join(home, 'code', folder, name)]
      const taken = await start(process.execPath, words, { cwd, env: flagged }).ended
      expect([name, taken.stdout]).toEqual([name, 'false\n'])
    }
  },
)
