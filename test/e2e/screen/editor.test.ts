import { chmod, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openPrompt, type ScreenSize } from '../../support/terminals/screen.ts'

const medium: ScreenSize = { columns: 80, rows: 24 }

async function putEditor(world: World, script: string): Promise<void> {
  await world.put('editor.sh', `#!/bin/sh\n${script}\n`)
  await chmod(join(world.cwd, 'editor.sh'), 0o755)
}

describe('the prompt on a terminal', () => {
  it('remembers messages of the folder for its owner, and finds them again', async () => {
    const world = await openWorld()
    world.server.reply(say('One.'), say('Two.'))
    const first = await openPrompt(world, medium)
    first.type('fix the parser\r')
    await first.until(/One\.[\s\S]*\n›/)
    first.type('tests of dates')
    await first.until(/› tests of dates/)
    first.type('\u0003')
    await first.until(/^› Ask /m)
    first.type('\u0004')
    await first.ended
    const second = await openPrompt(world, medium)
    second.type('draft\u0012pars')
    await second.until(/\(history\) pars : fix the parser/)
    second.type('\r')
    await second.until(/› fix the parser/)
    second.type('\u001f')
    await second.until(/› draft/)
    second.type('\u001b[A')
    await second.until(/› tests of dates/)
    const [folder = ''] = (await readdir(world.home, { recursive: true })).filter((one) =>
      one.endsWith('history'),
    )
    const entries = await readdir(join(world.home, folder), { withFileTypes: true })
    // The lock of another start may stand beside it.
    const [file = ''] = entries.filter((one) => one.isFile()).map(({ name }) => name)
    expect((await stat(join(world.home, folder, file))).mode & 0o777).toBe(0o600)
  })

  it('hands the draft to an editor, pastes in full, and takes it back', async () => {
    const world = await openWorld()
    world.server.reply(say('Done.'))
    await putEditor(
      world,
      `[ "$1" = --wait ] || exit 9; stty -a | grep -q ' icanon' || exit 8; echo ' and more' >> "$2"`,
    )
    const screen = await openPrompt(world, medium, `EDITOR='${world.cwd}/editor.sh --wait' exec pipe`)
    screen.type(`see \u001b[200~${'line\n'.repeat(9)}\u001b[201~`)
    await screen.until(/› see \[pasted 9 lines/)
    screen.type('\u0007')
    await screen.until(/› see \[pasted 9 lines.*\]\n? *and more/)
    screen.type('\r')
    await screen.until(/Done\./)
    expect(JSON.stringify(world.server.requests.at(-1)?.body)).toContain(
      `see ${'line\\n'.repeat(9)} and more`,
    )
  })

  it('keeps the draft if the editor fails, and says why', async () => {
    const world = await openWorld()
    const screen = await openPrompt(world, medium, `EDITOR='echo lost > "$1"; exit 3;' exec pipe`)
    screen.type('precious')
    await screen.until(/› precious/)
    screen.type('\u0007')
    await screen.until(/ended with exit code 3, so the draft is unchanged[\s\S]*› precious/)
  })

  it('runs a command of the user, shows it, and tells the model with the next message', async () => {
    const world = await openWorld()
    world.server.reply(say('I see.'))
    const screen = await openPrompt(world, medium)
    screen.type('!echo out $((6*7)); exit 3')
    await screen.until(/^! echo out/m)
    screen.type('\r')
    await screen.until(/shell +echo out[\s\S]*out 42[\s\S]*\n›/)
    screen.type('why?\r')
    await screen.until(/I see\./)
    const sent = JSON.stringify(world.server.requests.at(-1)?.body)
    expect(sent).toMatch(/The user ran this command:.*out 42.*\[exit code 3\].*why\?/)
  })

  it('shows all of the long output of a command of the user', async () => {
    const screen = await openPrompt(await openWorld(), { columns: 80, rows: 40 })
    screen.type('!seq 4000')
    await screen.until(/^! seq/m)
    screen.type('\r')
    await screen.until(/shell +seq 4000 +4k lines[\s\S]*… 4k lines above[\s\S]*\n› /)
    screen.type('\u000f')
    await screen.until(/1–\d+ of 4,000/)
    screen.type('q')
    await screen.until(/\n› /)
  })
})

describe('a question about a change', () => {
  it('opens its text in the editor, asks about what is left there, and tells the model', async () => {
    const world = await openWorld()
    world.server.reply(use(['write', { path: 'notes.ts', content: 'one\n' }]), say('Noted.'))
    // It fails the first time, and leaves nothing the second.
    await putEditor(
      world,
      `echo "$1" >> names
case "$(wc -l < names)" in *1) exit 3;; *2) : > "$1";; *) printf 'one\ntwo\n' > "$1";; esac`,
    )
    const screen = await openPrompt(world, medium, `VISUAL='${world.cwd}/editor.sh' exec pipe`)
    screen.type('note it\r')
    await screen.until(/1 \+ one\n[\s\S]*❯ y[\s\S]*e {2}modify in your editor/)
    screen.type('e')
    await screen.until(/ended with exit code 3, so the text\s+is unchanged[\s\S]*❯ y/)
    screen.type('e')
    await screen.until(/nothing was changed: the editor left no text[\s\S]*❯ y/)
    screen.type('e')
    await screen.until(/2 \+ two\n[\s\S]*❯ y/)
    screen.type('y')
    await screen.until(/Noted\./)
    expect(await readFile(join(world.cwd, 'notes.ts'), 'utf8')).toBe('one\ntwo\n')
    expect(await readFile(join(world.cwd, 'names'), 'utf8')).toMatch(/^(?:.*\/notes\.ts\n){3}$/)
    expect(world.server.requests.map(({ body }) => lastText(body)).at(-1)).toContain('+two')
  })
})
