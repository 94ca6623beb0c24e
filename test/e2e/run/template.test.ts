import { existsSync } from 'node:fs'
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

  it('fills the places of a command that runs something, and its line is judged as it will run', async () => {
    const { pipe, put, cwd, server } = await withTemplates({
      look: '---\ndescription: looks\n---\nFor {{who}}:\n!`cat {{file}} $1`\nDone, {{who}}.',
    })
    await put('a.txt', 'one')
    await put('b.txt', 'two')
    const args = ['-t', 'look', '--param', 'who=Ann $1', '--param', 'file=a.txt', 'b.txt']
    server.reply(say('Seen.'), say('Not seen.'))
    expectRun(await pipe(args), { stdout: 'Seen.\n' })
    const run = await pipe([...args.slice(0, 5), 'file=a.txt; touch made #', 'b.txt'])
    expect(run).toMatchObject({ code: 0, stdout: 'Not seen.\n' })
    const [seen = '', denied = ''] = server.requests.map(({ body }) => JSON.stringify(body.messages))
    expect(seen).toContain('For Ann $1:')
    expect(seen).toMatch(/of=\S*"cat a\.txt b\.txt\S*>\\*n?onetwo/)
    expect(seen).toContain('Done, Ann $1.')
    expect(denied).toMatch(/of=\S*"cat a\.txt; touch made # b\.txt\S* failed=/)
    expect(existsSync(join(cwd, 'made'))).toBe(false)
  })

  it('makes no command of a value', async () => {
    const { pipe, server } = await withTemplates({
      look: '---\ndescription: looks\n---\n!`pwd`\nTitle: {{title}}',
    })
    server.reply(say('Seen.'))
    expectRun(await pipe(['--yolo', '-t', 'look', '--param', 'title=!`echo ow""ned`']), { stdout: 'Seen.\n' })
    const [sent = ''] = server.requests.map(({ body }) => JSON.stringify(body.messages))
    expect(sent).toContain('Title: !`echo ow')
    expect(sent).not.toContain('owned')
  })

  it('fills the places of a skill, and names those that are missing', async () => {
    const { pipe, home, server } = await openWorld()
    await mkdir(join(home, 'skills/tone'), { recursive: true })
    const text = '---\nname: tone\ndescription: a tone\n---\nSpeak in a {{tone}} tone.'
    await writeFile(join(home, 'skills/tone/SKILL.md'), text)
    server.reply(say('Aye.'))
    expectRun(await pipe(['-t', 'tone', '--param', 'tone=salty']), { stdout: 'Aye.\n' })
    const [sent = ''] = server.requests.map(({ body }) => JSON.stringify(body.messages))
    expect(sent).toContain('Speak in a salty tone.')
    expectRun(await pipe(['-t', 'tone']), {
      code: 2,
      stdout: '',
      stderr: complaint('-t tone needs --param tone=…'),
    })
  })

  it.each([
    [['-t', 'reveiw'], 42, 'there is no template "reveiw". Did you mean review?'],
    [['-t', 'review'], 2, '-t review needs --param style=…'],
    [['-t', 'review', '--param', 'style=a', '--param', 'tone=b'], 2, 'has no {{tone}} for --param tone'],
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
