import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openEmbeddingServer } from '../../support/models/embedding-server.ts'
import { outlineRequest, say } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'

/** A world with two memories, room for one, and a model for embeddings. */
async function openMeaning() {
  const world = await openWorld()
  const { pipe, configure, home, server } = world
  const embeddings = await openEmbeddingServer([
    ['car', 'automobile', 'vehicle'],
    ['bread', 'loaf'],
  ])
  const settings = JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))
  settings.providers.it = { base_url: `${embeddings.url}/v1` }
  await configure({ ...settings, routes: { embedding: 'it/small' }, memory: { budget: 13 } })
  for (const text of ['the automobile is blue', 'the loaf is brown']) await pipe(['memory', 'add', text])
  const shown = () => {
    const [, user = ''] = server.requests.map(({ body }) => outlineRequest(body)).at(-1) ?? []
    return /\n- \(\S+\) (.*)\n<\/memories>/.exec(user)?.[1]
  }
  return { ...world, embeddings, shown }
}

it('memories that do not all fit are also chosen by their meaning, in a one-shot run and on the screen', async () => {
  const world = await openMeaning()
  const { pipe, server, embeddings, shown } = world
  server.reply(say('Yes.'), say('Yes.'))
  expectRun(await pipe(['which vehicle?']), { stdout: 'Yes.\n' })
  expect(shown()).toBe('the automobile is blue')
  expect(embeddings.texts()).toEqual(['which vehicle?', 'the automobile is blue', 'the loaf is brown'])
  const screen = await openPrompt(world, { columns: 80, rows: 24 })
  screen.type('buy bread\r')
  await screen.until(/Yes\.\n\n─+\n›/)
  expect(shown()).toBe('the loaf is brown')
  expect(embeddings.texts().slice(3)).toEqual(['buy bread'])
})

it('words alone decide if meaning cannot be told', async () => {
  const { pipe, server, embeddings, shown } = await openMeaning()
  server.reply(say('Yes.'))
  embeddings.fail({ status: 401, body: '{}' })
  const run = await pipe(['which vehicle is blue?'])
  expectRun(run, { stdout: 'Yes.\n', stderr: expect.any(String) })
  expect(run.stderr).toContain('memories are chosen only by their words: ')
  expect(shown()).toBe('the automobile is blue')
})
