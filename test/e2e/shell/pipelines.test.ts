import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, programWords, type World } from '../../support/programs/world.ts'

/** The texts that the model got, one a request. */
const asked = ({ server }: World) => server.requests.map(({ body }) => lastText(body))

/** Prints the exit code of each part of the last pipeline. */
const statuses = ['echo $', '{PIPESTATUS[@]}'].join('')

describe('a pipeline with pipefail', () => {
  it('fails with 141 where | head -1 has read enough, and head keeps its line', async () => {
    const { shell, server } = await openWorld()
    server.reply(say('a line\n'.repeat(20_000)))
    expectRun(await shell('set -o pipefail; pipe go | head -1'), { code: 141, stdout: 'a line\n' })
  })

  it('succeeds where | head -1 reads all there is', async () => {
    const { shell, server } = await openWorld()
    server.reply(say('Hello.'))
    expectRun(await shell(`set -o pipefail; pipe go | head -1; ${statuses}`), {
      stdout: 'Hello.\n0 0\n',
    })
  })

  it('ends behind yes | with an endless stdin, at the limit of time', async () => {
    const { shell, server } = await openWorld()
    const run = await shell(`set -o pipefail; yes | pipe --max-time 2s "count"; ${statuses}`)
    expectRun(run, { stdout: expect.stringMatching(/^141 47\n$/), stderr: complaint('time limit') })
    expect(server.requests).toEqual([])
  })

  it('reads nothing of yes | with --stdin none', async () => {
    const { shell, server } = await openWorld()
    server.reply(say('Hello.'))
    expectRun(await shell(`yes | pipe --stdin none hi; ${statuses}`), { stdout: 'Hello.\n141 0\n' })
  })

  it('takes one word as the prompt about data: git diff | pipe "review" > notes.md', async () => {
    const world = await openWorld()
    world.server.reply(say('Looks fine.'))
    await world.put('a.txt', 'hello\n')
    const line = 'git init -q; git add a.txt; git diff --cached | pipe "review" > notes.md; cat notes.md'
    expectRun(await world.shell(line), { stdout: 'Looks fine.\n' })
    expect(asked(world)[0]).toMatch(/\+hello[\s\S]*review$/)
  })

  it.each(['</dev/null', '</dev/stdin', '--stdin none <a.txt', '<&-'])(
    'takes the same word for a command of other agents without data: pipe review %s',
    async (input) => {
      const world = await openWorld()
      await world.put('a.txt', 'hello\n')
      expectRun(await world.shell(`true | pipe review ${input}`), {
        code: 2,
        stdout: '',
        stderr:
          'pipe: pipe has no command review; pipe --agent review "prompt" reviews code. To send the words as a prompt: pipe -- review … (see pipe --help)\n',
      })
    },
  )

  it('hands an answer from one pipe to the next', async () => {
    const world = await openWorld()
    world.server.reply(say('a plan'), say('Good.'))
    expectRun(await world.shell('set -o pipefail; pipe plan | pipe "criticise it"'), { stdout: 'Good.\n' })
    expect(asked(world)[1]).toContain('a plan')
  })

  it('keeps the exit code of a failed pipe, whose stdout is empty', async () => {
    const { shell } = await openWorld()
    const run = await shell('set -o pipefail; pipe -r nope hi | cat')
    expectRun(run, { code: 42, stdout: '', stderr: complaint('no session is called nope') })
  })
})

describe('standard descriptors', () => {
  it.each(['< /dev/null', '<&-'])('with %s a prompt is answered', async (redirection) => {
    const { shell, server } = await openWorld()
    server.reply(say('Hello.'))
    expectRun(await shell(`pipe hi ${redirection}`), { stdout: 'Hello.\n' })
  })

  it.each(['< /dev/null', '<&-'])('with %s and no prompt there is nothing to do', async (redirection) => {
    const { shell, server } = await openWorld()
    expect(await shell(`pipe ${redirection}`)).toMatchObject({ code: 2, stdout: '' })
    expect(server.requests).toEqual([])
  })

  it.each(['text', 'json', 'stream-json'])(
    'a closed stdout is a failure with -o %s: nothing was delivered',
    async (format) => {
      const { shell, server } = await openWorld()
      server.reply(say('Hello.'))
      const run = await shell(`pipe -o ${format} hi >&-`)
      expectRun(run, { code: 1, stdout: '', stderr: complaint('stdout') })
    },
  )

  it.each(['', '--protocol claude'])(
    'a closed stdout is a failure of a driven run %s before anything is asked',
    async (flags) => {
      const { shell, server } = await openWorld()
      const line = '{"type":"user","message":{"role":"user","content":"hi"}}'
      for (const input of [`echo '${line}'`, 'true']) {
        const run = await shell(`${input} | pipe --input-format stream-json -o stream-json ${flags} >&-`)
        expectRun(run, { code: 1, stdout: '', stderr: complaint('stdout') })
      }
      expect(server.requests).toEqual([])
    },
  )

  it.each(['--help', '--version', 'models', 'config list', 'sessions list'])(
    'a closed stdout is a failure of pipe %s',
    async (words) => {
      const { shell, server, pipe } = await openWorld()
      server.reply(say('Hello.'))
      expectRun(await pipe(['-s', 'greeting', 'hi']), { stdout: 'Hello.\n' })
      const run = await shell(`pipe ${words} >&-`)
      expect(run).toMatchObject({ code: 1, stdout: '' })
    },
  )

  it.skipIf(!existsSync('/dev/full'))('a full disk is a failure', async () => {
    const { shell, server } = await openWorld()
    server.reply(say('Hello.'))
    expectRun(await shell('pipe hi > /dev/full'), { code: 1, stdout: '', stderr: complaint('ENOSPC') })
  })
})

describe('a loop', () => {
  it('of while read keeps its lines if pipe has </dev/null', async () => {
    const world = await openWorld()
    world.server.reply(say('One.'), say('Two.'))
    const run = await world.shell('printf "a\\nb\\n" | while read -r x; do pipe "do $x" </dev/null; done')
    expectRun(run, { stdout: 'One.\nTwo.\n' })
    expect(asked(world).map((text) => /do [ab]/.exec(text)?.[0])).toEqual(['do a', 'do b'])
  })

  it('of xargs -P8 runs side by side, each with a session of its own', async () => {
    const { shell, server, sessions } = await openWorld()
    server.reply(...Array.from({ length: 8 }, () => say('Done.')))
    const run = await shell('set -o pipefail; seq 8 | xargs -P8 -I{} pipe "do {}"')
    expectRun(run, { stdout: 'Done.\n'.repeat(8) })
    expect(new Set((await sessions()).map(({ id }) => id)).size).toBe(8)
  })
})

describe('an environment', () => {
  it('that env -i emptied is enough', async () => {
    const { shell, server, home } = await openWorld()
    server.reply(say('Hello.'))
    const run = await shell(`env -i PIPE_HOME=${home} ${programWords.join(' ')} hi`)
    expectRun(run, { stdout: 'Hello.\n' })
  })

  it('with a HOME that cannot be written to answers with --no-session, and says what else to do', async () => {
    const { shell, server, home, temp, env } = await openWorld()
    const sealed = join(temp, 'sealed')
    await mkdir(join(sealed, '.config/pipe'), { recursive: true })
    await writeFile(join(sealed, '.config/pipe/config.json'), await readFile(join(home, 'config.json')))
    // Root may write anywhere, so a file stands where a folder has to be.
    await writeFile(join(sealed, '.local'), '')
    await chmod(sealed, 0o500)
    const readOnly = { env: { ...env, HOME: sealed, PIPE_HOME: '' } }
    expectRun(await shell('pipe hi', readOnly), { code: 54, stdout: '', stderr: complaint('--no-session') })
    server.reply(say('Hello.'))
    expect(await shell('pipe --no-session --no-audit hi', readOnly)).toMatchObject({
      code: 0,
      stdout: 'Hello.\n',
    })
    await chmod(sealed, 0o700)
  })
})
