import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startVectorServer } from '../../support/databases/pglite.ts'
import { openEmbeddingServer } from '../../support/models/embedding-server.ts'
import { lastText, say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

/** Opens a world whose settings name a model for embeddings, with two earlier sessions. */
async function openTalks(more: object = {}) {
  const world = await openWorld()
  const { pipe, server, configure, home } = world
  const embeddings = await openEmbeddingServer([
    ['car', 'automobile', 'vehicle'],
    ['bread', 'loaf'],
  ])
  const settings = JSON.parse(await readFile(join(home, 'config.json'), 'utf8'))
  settings.providers.it = { base_url: `${embeddings.url}/v1`, api_key_env: 'IT_KEY' }
  const env = { IT_KEY: 'key-of-the-server' }
  const embedding = { ...settings, routes: { embedding: 'it/small' }, ...more }
  await configure(embedding)
  const talk = async (prompt: string) => {
    server.reply(say('Noted.'))
    expectRun(await pipe([prompt], { env }), { stdout: 'Noted.\n' })
  }
  await talk('The automobile is blue, its code is password=hunter2hunter2')
  await talk('A loaf of the house')
  const recall = (...args: string[]) => pipe(['recall', ...args], { env })
  const found = async (...args: string[]) => {
    const { stdout } = await recall(...args, '--json')
    const { sessions, ranking } = JSON.parse(stdout)
    const openings = sessions.map(({ opening }: { opening: string }) => opening.split(' ')[1])
    return { openings, ranking, first: sessions[0] }
  }
  return { ...world, embeddings, settings, embedding, env, recall, found }
}

describe('a search with a model for embeddings', () => {
  it('finds a session that has no word in common, and embeds nothing but in a search', async () => {
    const { embeddings, found, recall, home } = await openTalks()
    expect(embeddings.requests).toEqual([])
    expect(existsSync(join(home, 'vectors'))).toBe(false)
    const { openings, ranking, first } = await found('vehicle')
    expect([openings, ranking]).toEqual([['automobile'], 'words_and_meaning'])
    expect(first.excerpt).toMatchObject({ type: 'user', matches: [] })
    expect(first.excerpt.text).toMatch(/^The automobile is blue, its code is password=\[redacted\]$/)
    const texts = embeddings.texts()
    expect(texts.at(-1)).toBe('vehicle')
    expect(texts.join('\n')).toContain('The automobile is blue, its code is password=[redacted]')
    expect(texts.join('\n')).not.toMatch(/hunter2|environment/)
    expectRun(await recall('vehicle', '--here'), {
      stdout: expect.stringMatching(
        / user: The automobile is blue.*\n\ncontinue one with pipe -r \S+ or pipe --fork /s,
      ),
    })
    expect(embeddings.texts().slice(texts.length)).toEqual(['vehicle'])
    const folder = join(home, 'vectors', 'recall')
    const modes = await Promise.all(
      ['.', ...(await readdir(folder))].map(async (name) => (await stat(join(folder, name))).mode & 0o777),
    )
    expect(modes).toEqual([0o700, 0o600, 0o600])
  })

  it('ranks by words alone if the server fails, and says why', async () => {
    const { embeddings, recall, found } = await openTalks()
    embeddings.fail({ status: 401, body: '{"error":{"message":"who are you?"}}' })
    expectRun(await recall('loaf'), {
      stdout: expect.stringContaining('A loaf of the house'),
      stderr: 'pipe: ranked by words alone: it did not accept the API key (401): who are you?\n',
    })
    embeddings.fail({ status: 400, body: '{"error":{"message":"no"}}' })
    expect(await found('vehicle', '-q')).toMatchObject({ openings: [], ranking: 'words' })
    expect(await found('vehicle')).toMatchObject({ openings: ['automobile'] })
  })

  it('is said to be missing only to whoever watches', async () => {
    const { settings, configure, recall, found, embeddings } = await openTalks()
    await configure(settings)
    const said = 'pipe: ranked by words alone: no model for embeddings is set (routes.embedding)\n'
    expectRun(await recall('loaf'), { stdout: expect.stringContaining('A loaf') })
    expectRun(await recall('loaf', '-v'), { stdout: expect.stringContaining('A loaf'), stderr: said })
    expect(await found('loaf')).toMatchObject({ openings: ['loaf'], ranking: 'words' })
    await configure({ ...settings, routes: { embedding: ['it/small', 'it/large'] } })
    expectRun(await recall('loaf'), {
      stdout: expect.stringContaining('A loaf'),
      stderr: expect.stringContaining('ranked by words alone: routes.embedding takes one model'),
    })
    expect(embeddings.requests).toEqual([])
  })

  it('forgets the vectors of deleted sessions', async () => {
    const { pipe, env, found, home } = await openTalks()
    await found('vehicle')
    const folder = join(home, 'vectors', 'recall')
    const journal = async () => (await readFile(join(folder, 'journal.jsonl'), 'utf8')).trim().split('\n')
    expect(await journal()).toHaveLength(2)
    const { first } = await found('vehicle')
    await pipe(['sessions', 'delete', first.id, '--yes'], { env })
    expect((await journal()).at(-1)).toMatch(/^\{"remove":/)
    expect(await found('vehicle')).toMatchObject({ openings: [] })
  })

  it('serves the tool recall, too', async () => {
    const { pipe, server, configure, embedding, env, embeddings } = await openTalks()
    await configure({ ...embedding, recall: true })
    server.reply(use(['recall', { query: 'vehicle' }]), say('Blue.'))
    expect((await pipe(['which colour?'], { env })).stdout).toBe('Blue.\n')
    const answer = () => server.requests.map(({ body }) => lastText(body)).at(-1)
    expect(answer()).toMatch(/^tool: \[1 of 1 earlier conversations: material to judge/)
    expect(answer()).toContain('user: The automobile is blue')
    embeddings.fail({ status: 400, body: '{"error":{"message":"no"}}' })
    server.reply(use(['recall', { query: 'loaf' }]), say('Good.'))
    expect((await pipe(['which bread?'], { env })).stdout).toBe('Good.\n')
    expect(answer()).toMatch(/^tool: \[\d of \d earlier conversations, found by their words alone: material/)
  })
})

describe('vectors in a database', () => {
  const database = startVectorServer()

  it('serve a search as files do, and doctor looks at them', async () => {
    const { pipe, env, found, home } = await openTalks({ memory: { store: database.url } })
    const doctor = async () => {
      const { checks } = JSON.parse((await pipe(['doctor', '--json'], { env })).stdout)
      return checks.find(({ name }: { name: string }) => name === 'vectors')
    }
    const shown = database.url.replace('?sslmode=disable', '')
    expect(await doctor()).toEqual({
      name: 'vectors',
      state: 'ok',
      text: `${shown} (no schema yet; pipe creates it when needed), of it/small`,
    })
    expect(await found('vehicle')).toMatchObject({ openings: ['automobile'], ranking: 'words_and_meaning' })
    expect(existsSync(join(home, 'vectors'))).toBe(false)
    expect((await doctor()).text).toBe(`${shown} (schema version 1), of it/small`)
    const { first } = await found('vehicle')
    await pipe(['sessions', 'delete', first.id, '--yes'], { env })
    expect(await found('vehicle')).toMatchObject({ openings: [] })
  })
})
