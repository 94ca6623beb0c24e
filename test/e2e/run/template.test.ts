import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

/** A world with these templates of the user. */
async function withTemplates(templates: Readonly<Record<string, string>>) {
  const world = await openWorld()
  await mkdir(join(world.home, 'commands'))
  for (const [name, text] of Object.entries(templates))
    await writeFile(join(world.home, 'commands', `${name}.md`), text)
  return world
}

describe('-t', () => {
  it('sends a command with the words and the parameters in their places, and stdin as data', async () => {
    const { pipe, server } = await withTemplates({
      review: '---\ndescription: reviews\n---\nReview $ARGUMENTS in a {{style}} style, {{ style }}.',
    })
    server.reply(say('Good.'))
    const run = await pipe(['-t', 'review', '--param', 'style=terse $1', 'src and test'], { input: 'a diff' })
    expectRun(run, { stdout: 'Good.\n' })
    const [text = ''] = server.requests.map(({ body }) => lastText(body))
    expect(text).toContain('Review src and test in a terse $1 style, terse $1.')
    expect(text).toContain('a diff')
  })

  it('needs no words, and counts as one-shot', async () => {
    const { pipe, server } = await withTemplates({ hello: 'Say hello.' })
    server.reply(say('Hello.'))
    expectRun(await pipe(['-t', '/hello']), { stdout: 'Hello.\n' })
    expect(server.requests.map(({ body }) => lastText(body))).toEqual([expect.stringContaining('Say hello.')])
  })

  it.each([
    [['-t', 'reveiw'], 42, 'there is no template "reveiw". Did you mean review?'],
    [['-t', 'review'], 2, '-t review needs --param style=…'],
    [['-t', 'review', '--param', 'style=a', '--param', 'tone=b'], 2, 'has no place {{tone}}'],
    [['-t', 'review', '--param', 'style'], 2, '--param takes NAME=VALUE'],
    [['--param', 'style=a', 'hi'], 2, '--param needs -t'],
  ])('%j ends with an error, and nothing is sent', async (args, code, words) => {
    const { pipe, server } = await withTemplates({ review: 'Review in a {{style}} style.' })
    expectRun(await pipe(args), { code, stdout: '', stderr: complaint(words) })
    expect(server.requests).toEqual([])
  })

  it('takes those of a project once it is trusted', async () => {
    const { pipe, put, server } = await openWorld()
    await put('.pipe/commands/fix.md', 'Fix it.')
    expect(await pipe(['-t', 'fix'])).toMatchObject({ code: 42 })
    server.reply(say('Fixed.'))
    expectRun(await pipe(['--trust', '-t', 'fix']), { stdout: 'Fixed.\n' })
    expect(server.requests).toHaveLength(1)
  })
})
