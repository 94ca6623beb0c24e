import { describe, it } from 'vitest'
import { complaint, expectRun } from '../support/program.ts'
import { say } from '../support/replies.ts'
import { openWorld } from '../support/world.ts'

describe('settings that cannot be used end the run with 52', () => {
  const file = 'config\\.json'
  it.each([
    ['{\n  "model": "a/b",\n  "providers": }', `home/${file}:3:16: not valid JSON`],
    ['{"model": 7}', `home/${file}: model: .*expected string`],
    ['{"modle": "a/b"}', `home/${file}: .*modle`],
    ['{"permissions": {"mode": "never"}}', `home/${file}: permissions\\.mode: .*"bypass"`],
    [
      '{"providers": {"x": {"dialect": "openai-chat", "base_url": "localhost"}}}',
      'providers\\.x\\.base_url: expected an http or https URL',
    ],
    [
      '{"providers": {"x": {"dialect": "openai-chat"}}, "model": "x/y"}',
      'providers\\.x\\.base_url is missing in config\\.json',
    ],
  ])('%j', async (settings, words) => {
    const { pipe, configure } = await openWorld()
    await configure(settings)
    expectRun(await pipe(['hi']), { code: 52, stdout: '', stderr: complaint(new RegExp(words)) })
  })

  it('a provider that nobody knows', async () => {
    const { pipe } = await openWorld()
    const stderr = complaint('no provider is called mistrl; did you mean mistral?')
    expectRun(await pipe(['-m', 'mistrl/large', 'hi']), { code: 52, stdout: '', stderr })
  })
})

describe('settings', () => {
  it('may hold comments and trailing commas', async () => {
    const { pipe, configure, server } = await openWorld()
    server.reply(say('Fine.'))
    await configure(
      `{ // mine\n "model": "x/y", "providers": { "x": { "dialect": "openai-chat", "base_url": "${server.baseUrl}" }, }, }`,
    )
    expectRun(await pipe(['hi']), { stdout: 'Fine.\n' })
  })
})
