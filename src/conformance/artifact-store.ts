import { strict as assert } from 'node:assert'
import { createHash } from 'node:crypto'
import { isPipeError } from '../error.ts'
import type { ArtifactStore } from '../machine/artifact.ts'
import { type ConformanceCase, throwsCode } from './suite.ts'

/** One store for one case. */
export interface ArtifactStoreSubject {
  readonly store: ArtifactStore
  /** Absolute path, without symlinks, of a folder in which there is nothing. It need not exist in a store that keeps no folders. */
  readonly root: string
  close?(): Promise<void>
}

const { signal } = new AbortController()
const options = { signal }
const bytes = (text: string) => new TextEncoder().encode(text)
const lineRange = (start: number, end: number, maxLineLength = 1_000) => ({ start, end, maxLineLength })

/** The promises of every store of files. `create` returns one with an empty folder. */
export function artifactStoreConformance(
  create: () => Promise<ArtifactStoreSubject>,
): readonly ConformanceCase[] {
  const about = (name: string, check: (store: ArtifactStore, root: string) => Promise<void>) => ({
    name,
    run: async () => {
      const { store, root, close } = await create()
      try {
        await check(store, root)
      } finally {
        await close?.()
      }
    },
  })
  const put = (store: ArtifactStore, path: string, text: string) =>
    store.writeFile(path, bytes(text), options)
  const text = async (store: ArtifactStore, path: string) =>
    new TextDecoder().decode(await store.readFile(path, options))
  return [
    about('reads what was written, or the beginning of it', async (store, root) => {
      const binary = Uint8Array.from({ length: 512 }, (_, i) => i % 256)
      await store.writeFile(`${root}/a`, binary, options)
      assert.deepEqual(Uint8Array.from(await store.readFile(`${root}/a`, options)), binary)
      const start = await store.readFile(`${root}/a`, { ...options, maxBytes: 3 })
      assert.deepEqual(Uint8Array.from(start), binary.subarray(0, 3))
      await put(store, `${root}/a`, '')
      assert.equal(await text(store, `${root}/a`), '')
    }),
    about('keeps its own copy of what is written', async (store, root) => {
      const content = bytes('one')
      await store.writeFile(`${root}/a`, content, options)
      content.fill(0)
      assert.equal(await text(store, `${root}/a`), 'one')
    }),
    about('creates the folders of a new file', async (store, root) => {
      await put(store, `${root}/deep/er/Löwe 🦁.txt`, 'one')
      assert.equal(await text(store, `${root}/deep/er/Löwe 🦁.txt`), 'one')
      assert.deepEqual(await store.listDir(`${root}/deep`, options), ['er/'])
    }),
    about('tells a missing file from a folder', async (store, root) => {
      await put(store, `${root}/folder/a`, 'one')
      for (const path of [`${root}/none`, `${root}/folder/none`])
        await throwsCode('not_found', () => store.readFile(path, options))
      await throwsCode('not_found', () => store.readFileRange(`${root}/none`, lineRange(1, 2), options))
      const error = await throwsCode('invalid', () => store.readFile(`${root}/folder`, options))
      assert.equal(isPipeError(error) ? error.details['reason'] : '', 'EISDIR')
    }),
    about('reads lines without their ends, and says what is left', async (store, root) => {
      const read = (start: number, end: number, length?: number) =>
        store.readFileRange(`${root}/a`, lineRange(start, end, length), options)
      await put(store, `${root}/a`, 'one\r\ntwo\n\nfour')
      assert.deepEqual(await read(1, 9), { lines: ['one', 'two', '', 'four'], more: false, total: 4 })
      assert.deepEqual(await read(2, 3), { lines: ['two', ''], more: true })
      assert.deepEqual(await read(5, 9), { lines: [], more: false, total: 4 })
      assert.deepEqual(await read(1, 1, 2), { lines: ['on'], more: true })
      await put(store, `${root}/a`, '')
      assert.deepEqual(await read(1, 9), { lines: [], more: false, total: 0 })
    }),
    about('lists names in order, folders with a slash', async (store, root) => {
      for (const path of ['b', 'a/x', '.hidden', 'c.txt']) await put(store, `${root}/${path}`, path)
      assert.deepEqual(await store.listDir(root, options), ['.hidden', 'a/', 'b', 'c.txt'])
      await throwsCode('not_found', () => store.listDir(`${root}/none`, options))
      await throwsCode('not_found', () => store.listDir(`${root}/b`, options))
    }),
    about('names the revision of a file by its content', async (store, root) => {
      assert.equal(await store.getRevision(`${root}/a`, options), undefined)
      await put(store, `${root}/a`, 'one')
      const sha256 = createHash('sha256').update('one').digest('hex')
      assert.equal(await store.getRevision(`${root}/a`, options), sha256)
    }),
    about('gives one name to all paths of a file, also of one that is not there', async (store, root) => {
      await put(store, `${root}/folder/a`, 'one')
      assert.equal(await store.realPath(`${root}/folder/a`, options), `${root}/folder/a`)
      assert.equal(await store.realPath(`${root}/folder/../folder/./a`, options), `${root}/folder/a`)
      assert.equal(await store.realPath(`${root}/none/b`, options), `${root}/none/b`)
    }),
    about('moves a file and a folder, and overwrites nothing', async (store, root) => {
      await put(store, `${root}/a`, 'one')
      await put(store, `${root}/folder/b`, 'two')
      await store.move(`${root}/a`, `${root}/new/a`, options)
      await store.move(`${root}/folder`, `${root}/other`, options)
      assert.deepEqual(await store.listDir(root, options), ['new/', 'other/'])
      assert.equal(await text(store, `${root}/other/b`), 'two')
      const error = await throwsCode('invalid', () => store.move(`${root}/new/a`, `${root}/other/b`, options))
      assert.equal(isPipeError(error) ? error.details['reason'] : '', 'exists')
      await throwsCode('not_found', () => store.move(`${root}/none`, `${root}/c`, options))
      assert.equal(await text(store, `${root}/other/b`), 'two')
    }),
    about('throws aborted if the signal has already fired, and changes nothing', async (store, root) => {
      await put(store, `${root}/a`, 'one')
      const gone = { signal: AbortSignal.abort() }
      for (const action of [
        () => store.readFile(`${root}/a`, gone),
        () => store.readFileRange(`${root}/a`, lineRange(1, 2), gone),
        () => store.realPath(`${root}/a`, gone),
        () => store.getRevision(`${root}/a`, gone),
        () => store.listDir(root, gone),
        () => store.writeFile(`${root}/a`, bytes('two'), gone),
        () => store.move(`${root}/a`, `${root}/b`, gone),
      ])
        await throwsCode('aborted', action)
      assert.equal(await text(store, `${root}/a`), 'one')
    }),
  ]
}
