import { readdir } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { conversationOpener } from '../../../src/cli/library/conversation-opener.ts'
import { defineProvider } from '../../../src/cli/library/define-provider.ts'
import { containArtifacts } from '../../../src/cli/library/foreign/foreign-artifacts.ts'
import { artifactStoreConformance } from '../../../src/conformance/artifact-store.ts'
import type { JsonObject } from '../../../src/json-value.ts'
import type { ArtifactStore } from '../../../src/machine/artifact.ts'
import { textContent } from '../../../src/message.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { conforms } from '../../support/conforms.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { createMemoryArtifacts } from '../../support/folders/memory-artifacts.ts'
import { thrown } from '../../support/thrown.ts'

const open = conversationOpener(process.cwd())

conforms(
  'files in a map keep the promises of a store: it',
  artifactStoreConformance(async () => ({ store: createMemoryArtifacts(), root: '/work' })),
)

/** Runs a turn whose model makes these calls one by one. Returns what each of them gave, and what was in the folder on the disk. */
async function results(artifacts: ArtifactStore, cwd: string, calls: readonly [string, JsonObject][]) {
  const left = [...calls]
  const provider = defineProvider(
    'own',
    () =>
      async function* () {
        const [name, args] = left.shift() ?? []
        if (name === undefined) return { stopReason: 'end_turn' }
        yield { type: 'tool_call_begin', id: `c${left.length}`, name }
        yield { type: 'tool_call_delta', id: `c${left.length}`, delta: JSON.stringify(args) }
        return { stopReason: 'tool_use' }
      },
  )
  const env = { PATH: process.env['PATH'], PIPE_HOME: await folderWith() }
  const permissions = { mode: 'accept-edits' } as const
  const conversation = await open({ cwd, env, artifacts, permissions, model: { provider, model: '' } })
  onTestFinished(() => conversation.close())
  const { messages, error } = await conversation.run('Go.')
  expect(error).toBeUndefined()
  return messages.flatMap((one) => (one.type === 'tool_result' ? [textContent(one)] : []))
}

it('carries a turn: each tool for files goes through it, and nothing reaches the disk', async () => {
  const cwd = await folderWith()
  const files = new Map<string, Uint8Array>()
  const put = (path: string, text: string) => files.set(`${cwd}/${path}`, Buffer.from(text))
  put('src/sum.ts', 'export const sum = (a, b) => a - b\n')
  put('src/deep/other.js', 'minus\n')
  put('.git/config', 'a - b\n')
  const said = await results(createMemoryArtifacts(files), cwd, [
    ['read', { path: 'src/sum.ts' }],
    ['edit', { path: 'src/sum.ts', edits: [{ old_text: 'a - b', new_text: 'a + b' }] }],
    ['write', { path: 'new/note.md', content: 'a + b\n' }],
    ['grep', { pattern: 'a . b' }],
    ['glob', { pattern: '**/*.js' }],
    ['glob', { pattern: 'new/*' }],
    ['read', { path: 'src' }],
    ['rename', { from: 'new', to: 'old' }],
    ['read', { path: 'none.txt' }],
  ])
  const text = (path: string) => String(files.get(`${cwd}/${path}`))
  expect(said[0]).toContain('a - b')
  expect([text('src/sum.ts'), text('old/note.md')]).toEqual([
    'export const sum = (a, b) => a + b\n',
    'a + b\n',
  ])
  expect(said[3]).toContain('new/note.md')
  expect(said[3]).toContain('src/sum.ts')
  expect(said[3]).not.toContain('.git')
  expect(said.slice(4, 7)).toEqual(['src/deep/other.js', 'new/note.md', 'src is a folder:\ndeep/\nsum.ts'])
  expect(said[8]).toContain('none.txt does not exist')
  expect(await readdir(cwd)).toEqual([])
})

it('tells the model of a store that fails, and the turn goes on', async () => {
  const broken: ArtifactStore = {
    ...createMemoryArtifacts(),
    writeFile: async () => {
      throw new Error('the cable is out')
    },
  }
  const [said] = await results(broken, await folderWith(), [['write', { path: 'a.txt', content: 'one' }]])
  expect(said).toContain('the store of files failed: the cable is out')
})

it('leaves a store alone that ignores its signal, 5 s after the signal', async () => {
  const time = createHandClock()
  const controller = new AbortController()
  const deaf = containArtifacts({ ...createMemoryArtifacts(), listDir: () => new Promise(() => {}) }, time)
  const listing = deaf.listDir('/work', { signal: controller.signal })
  controller.abort()
  time.advance(5_000)
  expect(await thrown(() => listing)).toMatchObject({ code: 'aborted' })
})
