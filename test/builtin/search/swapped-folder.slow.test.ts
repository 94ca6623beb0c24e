import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/json-value.ts'
import { textContent } from '../../../src/message.ts'
import { drainRun, toolContext } from '../../support/conversations/tool-run.ts'
import { createToolbox, path, type Toolbox } from '../toolbox.ts'
import { searchers } from './searchers.ts'

/** Swaps each path for the link beside it and back, as fast as it can, until it is killed. */
const swap = `
const { renameSync, writeSync } = require('node:fs')
const paths = process.argv.slice(1)
writeSync(1, 'swapping')
for (;;) for (const path of paths) {
  renameSync(path, path + '.aside')
  renameSync(path + '.link', path)
  renameSync(path, path + '.link')
  renameSync(path + '.aside', path)
}
`

const calls: readonly { readonly name: string; readonly args: JsonObject }[] = [
  { name: 'grep', args: { pattern: 'sk-|decoy' } },
  { name: 'grep', args: { pattern: 'sk-|decoy', context: 2 } },
  { name: 'grep', args: { pattern: 'key.*\\n.*(sk-|decoy)' } },
  { name: 'grep', args: { pattern: 'sk-|decoy', output: 'files' } },
  { name: 'grep', args: { pattern: 'sk-', output: 'files' } },
  { name: 'grep', args: { pattern: 'sk-|decoy', output: 'count' } },
  { name: 'grep', args: { pattern: 'sk-', output: 'count', multiline: true } },
  { name: 'grep', args: { pattern: 'sk-|decoy', path: 'folder' } },
  { name: 'grep', args: { pattern: 'sk-|decoy', path: 'file.json' } },
  { name: 'glob', args: { pattern: '**/*' } },
  { name: 'glob', args: { pattern: '*', path: 'folder' } },
]

/** Traces of the keys folder only: its text, its number of lines, and one of its file names. */
const leak = /sk-secret|hidden-name|\.json:[2-9]$/m

const rounds = 8

describe.skipIf(process.platform !== 'linux')(
  'a search beside a command that swaps folders for links',
  () => {
    let toolbox: Toolbox
    let swapping: ChildProcess | undefined
    afterEach(async () => {
      swapping?.kill('SIGKILL')
      await toolbox.close()
    })

    it.each(searchers.filter(({ missing }) => !missing))(
      'shows nothing of their targets, with $name',
      async ({ ripgreps }) => {
        toolbox = await createToolbox({ PATH: path }, { ripgreps })
        const keys = join(dirname(toolbox.cwd), 'keys')
        await mkdir(keys)
        for (const name of ['auth.json', 'hidden-name.json']) {
          await writeFile(join(keys, name), '{\n"key": [\n"sk-secret-1",\n"sk-secret-2"\n]\n}\n')
        }
        const decoys = ['folder', 'deep/er/folder']
        for (const decoy of decoys) {
          await toolbox.put(`${decoy}/auth.json`, '{\n"key":\n"decoy"\n}\n')
          await symlink(keys, join(toolbox.cwd, `${decoy}.link`))
        }
        await toolbox.put('file.json', '{\n"key":\n"decoy"\n}\n')
        await symlink(join(keys, 'auth.json'), join(toolbox.cwd, 'file.json.link'))

        const child = spawn(process.execPath, ['-e', swap, ...decoys, 'file.json'], {
          cwd: toolbox.cwd,
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        swapping = child
        await new Promise((resolve) => child.stdout.once('data', resolve))
        const context = toolContext()
        const leaks: string[] = []
        for (let i = 0; i < rounds; i++) {
          for (const { name, args } of calls) {
            const judgedPaths = [join(toolbox.cwd, String(args['path'] ?? '.'))]
            const run = toolbox.executor.execute(name, args, { ...context, judgedPaths })
            const said = textContent((await drainRun(run)).result)
            if (leak.test(said)) leaks.push(`${name} ${JSON.stringify(args)}: ${said}`)
          }
        }
        expect(leaks).toEqual([])
        expect(swapping?.exitCode).toBe(null)
      },
      120_000,
    )
  },
)
