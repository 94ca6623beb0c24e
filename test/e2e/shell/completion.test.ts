import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0

/** A world with an agent, a session, a file and a model whose name has a colon. */
async function stocked() {
  const world = await openWorld()
  const { server, put, configure, pipe } = world
  await configure({
    model: 'fake/model-1',
    providers: {
      fake: { dialect: 'openai-chat', base_url: server.baseUrl, models: ['odd:8b', 'odd:9b-long'] },
    },
    routes: { quick: 'fake/model-1' },
  })
  await put('notes with blanks.txt', 'x')
  await put('folder/inner.txt', 'x')
  server.reply(say('Hello.'))
  expectRun(await pipe(['-s', 'greeting', 'say hello']), { stdout: 'Hello.\n' })
  return world
}

const bash = 'eval "$(pipe completion bash)"'

/** Lets bash complete the end of a line, as its function does at the Tab key. Returns the offers. */
function offersOfBash(line: string): string {
  return [
    bash,
    `COMP_LINE='${line}' COMP_POINT=${line.length}; _pipe_complete pipe '' '' 2>&1; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join('; ')
}

describe('completion in bash', () => {
  it.each([
    ['pipe doc', 'doctor\n'],
    ['pipe --permission-mode a', 'accept-edits\nauto\n'],
    ['pipe --thinking=x', 'xhigh\n'],
    ['pipe -m fake/odd:', '8b\n9b-long\n'],
    ['pipe -m q', 'quick\n'],
    ['pipe -r ', 'greeting\n'],
    ['pipe --agent exp', 'explore\n'],
    ['pipe sessions del', 'delete\n'],
    ['pipe sessions rm gr', 'greeting\n'],
    ['pipe "an open quote', '\n'],
    ['pipe --max-turns ', '\n'],
  ])('%j', async (line, stdout) => {
    const { shell } = await stocked()
    expectRun(await shell(offersOfBash(line)), { stdout })
  })

  it('says nothing, and asks no server, if the settings are broken', async () => {
    const { shell, configure, server } = await openWorld()
    await configure('{ broken')
    expectRun(await shell(offersOfBash('pipe -m ')), { stdout: '\n' })
    expect(server.requests).toEqual([])
  })

  it.skipIf(!hasTerminal)('completes at the Tab key what bash itself breaks, and files', async () => {
    const terminal = await openTerminal(await stocked(), `${bash}; export -f _pipe_complete; bash --norc -i`)
    await terminal.line(`PS1='> '; ${bash}; clear`)
    await terminal.type('pipe -m fake/odd:9\t--max-tu\t1 --cd fol\t -f not\t')
    await terminal.until(
      /^> pipe -m fake\/odd:9b-long --max-turns 1 --cd folder\/ -f notes\\ with\\ blanks\.txt/m,
    )
  })
})

describe('completion in zsh', () => {
  it.skipIf(!hasTerminal || !has('zsh'))('completes at the Tab key', async () => {
    const terminal = await openTerminal(await stocked(), 'zsh -f -i')
    await terminal.line(`PS1='> '; autoload -U compinit; compinit -D; eval "$(pipe completion zsh)"; clear`)
    await terminal.type('pipe --model=fake/odd:9\t--max-tu\t1 --cd=fol\t -f not\t')
    await terminal.until(
      /^> pipe --model=fake\/odd:9b-long --max-turns 1 --cd=folder\/? -f notes\\ with\\ blanks\.txt/m,
    )
    await terminal.key('C-u')
    await terminal.type('pipe sess\tde\tgr\t')
    await terminal.until(/^> pipe sessions delete greeting/m)
  })
})

describe('completion in fish', () => {
  it.skipIf(!has('fish')).each([
    ['pipe doc', 'doctor\treport what works, what is missing, and how to fix it\n'],
    ['pipe --model=fake/odd:8', '--model=fake/odd:8b\n'],
    ['pipe -r ', 'greeting\tsay hello\n'],
    ['pipe -f not', 'notes with blanks.txt\n'],
    ['pipe --file=not', '--file=notes with blanks.txt\n'],
    ['pipe -C fol', 'folder/\tDirectory\n'],
    ['pipe say @folder/in', '@folder/inner.txt\n'],
    ['pipe --max-turns ', ''],
  ])('%j', async (line, stdout) => {
    const { shell } = await stocked()
    const run = await shell(`fish --no-config -c 'pipe completion fish | source; complete -C "${line}"'`)
    expectRun(run, { stdout })
  })
})
