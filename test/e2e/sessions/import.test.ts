import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { asked, claudeLines, claudeSession } from '../../import/claude-lines.ts'
import { codexLines, codexSession, item, message, meta, typed } from '../../import/codex-lines.ts'
import { asFile } from '../../import/foreign.ts'
import { geminiLines, geminiSession } from '../../import/gemini-lines.ts'
import { opencodeDocument, prompt, reply, text } from '../../import/opencode-document.ts'
import { header, piLines, piSession } from '../../import/pi-lines.ts'
import { startFakeAnthropic } from '../../support/models/fake-server.ts'
import { outlineRequest, say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'

const agents = [
  ['Claude Code', claudeLines, claudeSession, 'Adding numbers'],
  ['Codex', codexLines, codexSession, 'why does add fail?'],
  ['Gemini CLI', geminiLines, geminiSession, 'why does add fail?'],
  ['pi', piLines, piSession, 'Adding numbers'],
] as const

/** The lines of a session about this folder instead. */
function about(cwd: string, lines: readonly object[]): string {
  return asFile(lines).replaceAll('/home/ann/calc', cwd)
}

describe('a session of another agent', () => {
  it.each(agents)('of %s is listed, shown and continued like any other', async (agent, lines, id, title) => {
    const { pipe, put, server, cwd, sessions } = await openWorld()
    await put('theirs.jsonl', about(cwd, lines))
    const run = await pipe(['sessions', 'import', 'theirs.jsonl'])
    expectRun(run, {
      stdout: expect.stringMatching(
        new RegExp(`^${id} {2}${agent}, \\d messages {2}${title.replace('?', '\\?')}\n$`),
      ),
      stderr: expect.stringContaining(`pipe: continue it with: pipe -r ${id} (model fake/model-1)\n`),
    })
    expect((await pipe(['sessions'])).stdout).toMatch(new RegExp(`^${id} .* ${title.replace('?', '\\?')}\n$`))
    expect((await pipe(['sessions', 'show', id])).stdout).toMatch(
      /^> why does add fail\?\n\n(?:.*\n)*Let me look\.\n[\s\S]*It subtracts\.\n\n$/,
    )
    server.reply(say('Fixed.'))
    expectRun(await pipe(['-r', id, 'fix it']), { stdout: 'Fixed.\n' })
    const request = server.requests.at(-1)
    const heard = request === undefined ? [] : outlineRequest(request.body)
    expect(heard[1]).toBe('user: why does add fail?')
    expect(heard.at(-2)).toBe('assistant: It subtracts.')
    expect((await sessions()).map((session) => outline(session).at(-1))).toEqual(['assistant: Fixed.'])
  })

  it('goes on with its own model where there is a key, and its signed thoughts go back', async () => {
    const { pipe, put, cwd } = await openWorld()
    const anthropic = await startFakeAnthropic({ blocks: [{ type: 'text', text: 'Fixed.' }] })
    onTestFinished(async () => {
      await anthropic.close()
      expect(anthropic.violations).toEqual([])
    })
    const env = { ANTHROPIC_API_KEY: 'sk-ant-secret', ANTHROPIC_BASE_URL: anthropic.baseUrl }
    await put('theirs.jsonl', about(cwd, claudeLines))
    await pipe(['sessions', 'import', 'theirs.jsonl'], { env })
    expectRun(await pipe(['-c', 'fix it'], { env }), { stdout: 'Fixed.\n' })
    expect(anthropic.requests.map(({ body }) => [body.model, body.messages[1]?.content])).toEqual([
      [
        'claude-sonnet-4-5-20250929',
        [
          { type: 'thinking', thinking: 'Look first.', signature: 'of Look first.' },
          { type: 'text', text: 'Let me look.' },
          expect.objectContaining({ type: 'tool_use', name: 'Read' }),
          expect.objectContaining({ type: 'tool_use', name: 'Bash' }),
        ],
      ],
    ])
  })

  it('is imported once, and more often with --again', async () => {
    const { pipe, put, cwd, sessions } = await openWorld()
    await put('theirs.jsonl', about(cwd, piLines))
    const [once, twice, again] = [
      await pipe(['sessions', 'import', 'theirs.jsonl']),
      await pipe(['sessions', 'import', 'theirs.jsonl']),
      await pipe(['sessions', 'import', 'theirs.jsonl', '--again']),
    ]
    expect([once.code, again.code]).toEqual([0, 0])
    expectRun(twice, { code: 42, stdout: '', stderr: complaint(`already imported as session ${piSession}`) })
    expect((await sessions()).map(outline)).toHaveLength(2)
  })

  it('that is not in this folder, or not whole, says so; the good ones of several are imported', async () => {
    const { pipe, put, cwd, sessions } = await openWorld()
    await put('cut.jsonl', asFile(codexLines).slice(0, -30))
    await put('other.json', '{\n  "name": "calc"\n}\n')
    const run = await pipe(['sessions', 'import', 'missing.jsonl', 'cut.jsonl', 'other.json'])
    expect([run.code, run.stdout]).toEqual([42, expect.stringMatching(new RegExp(`^${codexSession} .*\n$`))])
    expect(run.stderr.split('\n')).toEqual([
      `pipe: cannot read ${join(cwd, 'missing.jsonl')}: no such file or folder`,
      expect.stringMatching(
        /^pipe: not imported: instructions of the agent \(2\), .*encrypted thoughts \(1\)/,
      ),
      'pipe: line 17: the file ends in the middle of this line (skipped)',
      `pipe: its folder /home/ann/calc: there is no such folder, so the session belongs to ${cwd}`,
      `pipe: continue it with: pipe -r ${codexSession} (model fake/model-1)`,
      'pipe: cannot import other.json: line 1: not the line of a session of Claude Code, Codex, Gemini CLI, opencode or pi',
      '',
    ])
    expect((await sessions()).map((session) => session.cwd)).toEqual([cwd])
  })

  it.each([
    ['is reached through a link', 'LINK', undefined],
    ['is not named', undefined, 'the file names no folder, so the session belongs to CWD'],
    [
      'is relative',
      'calc',
      'the file names a folder that is not absolute, calc, so the session belongs to CWD',
    ],
    ['is a file', 'FILE', 'its folder FILE: it is a file, not a folder, so the session belongs to CWD'],
  ])('whose folder %s says what is true', async (_, folder, told) => {
    const { pipe, put, cwd, temp, sessions } = await openWorld()
    await symlink(cwd, join(temp, 'link'))
    await put('a.txt', 'a')
    const real = (text: string) =>
      text.replace('LINK', join(temp, 'link')).replace('FILE', join(cwd, 'a.txt')).replace('CWD', cwd)
    await put('theirs.jsonl', asFile([{ ...header, cwd: folder && real(folder) }, ...piLines.slice(1)]))
    const { stderr } = await pipe(['sessions', 'import', 'theirs.jsonl'])
    expect(stderr.split('\n').slice(1, -2)).toEqual(told === undefined ? [] : [`pipe: ${real(told)}`])
    expect((await sessions()).map((session) => session.cwd)).toEqual([cwd])
  })

  it('that cannot be saved whole is not saved at all', async () => {
    const { put, cwd, shell, sessions } = await openWorld()
    const long = asked(30, 10, 'much '.repeat(10_000))
    await put('theirs.jsonl', about(cwd, [...claudeLines, long]))
    // A file may have 16 kB.
    expectRun(await shell('ulimit -f 16; pipe sessions import theirs.jsonl'), {
      code: 42,
      stdout: '',
      stderr: complaint(`${claudeSession}.json: it would be larger than the system allows`),
    })
    expect(await sessions()).toEqual([])
  })

  it('comes in on stdin too, with a report as JSON', async () => {
    const { pipe, cwd } = await openWorld()
    const run = await pipe(['sessions', 'import', '-', '--json'], { input: about(cwd, piLines) })
    expect(JSON.parse(run.stdout)).toEqual({
      imported: [
        {
          file: '-',
          session_id: piSession,
          agent: 'pi',
          cwd,
          title: 'Adding numbers',
          model: 'fake/model-1',
          messages: 7,
          left_out: [
            { kind: 'label entries', count: 1 },
            { kind: 'commands that were kept from the model (!!)', count: 1 },
          ],
          damage: [],
        },
      ],
    })
    expect(run.stderr).toBe('')
  })

  it('of opencode comes in on stdin as its export prints it', async () => {
    const { pipe, cwd, server, sessions } = await openWorld()
    const document = opencodeDocument(
      [prompt('m1', [text('why does add fail?')]), reply('m2', [text('It subtracts.')], { finish: 'stop' })],
      { directory: cwd },
    )
    const run = await pipe(['sessions', 'import', '-'], { input: JSON.stringify(document, null, 2) })
    expect([run.code, run.stdout]).toEqual([
      0,
      expect.stringMatching(/^\S+ {2}opencode, 2 messages {2}Adding numbers\n$/),
    ])
    server.reply(say('Fixed.'))
    expectRun(await pipe(['-c', 'fix it']), { stdout: 'Fixed.\n' })
    expect((await sessions()).map((session) => outline(session))).toEqual([
      ['user: why does add fail?', 'assistant: It subtracts.', 'user: fix it', 'assistant: Fixed.'],
    ])
  })

  it('of Codex that was forked says from which file its beginning is', async () => {
    const { pipe, put, cwd, temp } = await openWorld()
    const begun = about(cwd, codexLines)
    const fork = '01a22343-b24e-7152-9a68-5387d3c32da5'
    const base = { thread_id: codexSession, end_ordinal_exclusive: 17, end_byte_offset: begun.length }
    const header = { ...meta.payload, id: fork, cwd, history_base: base }
    const path = join(temp, `archived_sessions/rollout-1-${codexSession}.jsonl`)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, `${begun}cut here`)
    await put('fork.jsonl', asFile([typed('session_meta', header), item(message('user', 'and then?'))]))
    const env = { CODEX_HOME: temp }
    const run = await pipe(['sessions', 'import', 'fork.jsonl'], { env })
    expect(run.stdout).toMatch(new RegExp(`^${fork} {2}Codex, 6 messages `))
    expect(run.stderr).toContain(`pipe: the earlier conversation was read from ${path}\n`)
  })

  slowIt('that never ends can be interrupted', async () => {
    const { start, cwd, sessions } = await openWorld()
    const running = start(['sessions', 'import', '-'], { input: 'open' })
    // More than fits into the pipe, so that pipe is reading when it is interrupted.
    await running.write(about(cwd, piLines) + '\n'.repeat(500_000))
    running.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' })
    expect(await sessions()).toEqual([])
  })
})

it('without a file, at most 20 sessions are listed with the number of the others, and all as JSON', async () => {
  const { pipe, cwd, temp } = await openWorld()
  const folder = join(temp, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'))
  await mkdir(folder, { recursive: true })
  for (let i = 0; i < 22; i++) await writeFile(join(folder, `${i}.jsonl`), about(cwd, claudeLines))
  const env = { CLAUDE_CONFIG_DIR: temp }
  const listed = await pipe(['sessions', 'import'], { env })
  expect(listed.stdout.match(/pipe sessions import .*\.jsonl$/gm)).toHaveLength(20)
  expect(listed.stderr).toBe('pipe: not listed: 2 older sessions; --json lists all\n')
  const { found } = JSON.parse((await pipe(['sessions', 'import', '--json'], { env })).stdout)
  expect(found).toHaveLength(22)
})

it('without a file, the sessions about this folder are listed where the agents keep them', async () => {
  const { pipe, cwd, temp } = await openWorld()
  const dashed = cwd.replace(/[^A-Za-z0-9]/g, '-')
  const home = join(temp, 'a home')
  const files: readonly (readonly [string, string])[] = [
    [`.claude/projects/${dashed}/${claudeSession}.jsonl`, about(cwd, claudeLines)],
    [`.claude/projects/${dashed}/agent-1.jsonl`, about(cwd, claudeLines)],
    [`.claude/projects/${dashed}/broken.jsonl`, 'no session'],
    [`codex/sessions/2026/02/17/rollout-2026-02-17T10-59-00-${codexSession}.jsonl`, about(cwd, codexLines)],
    ['codex/sessions/2026/02/16/rollout-elsewhere.jsonl', asFile(codexLines)],
    [`.pi/agent/sessions/--${cwd.slice(1).replaceAll('/', '-')}--/1_${piSession}.jsonl`, about(cwd, piLines)],
  ]
  for (const [path, content] of files) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), content)
  }
  const env = { HOME: home, CODEX_HOME: join(home, 'codex') }
  const { found } = JSON.parse((await pipe(['sessions', 'import', '--json'], { env })).stdout)
  const expected = [files[0], files[3], files[5]].map((file) => join(home, file?.[0] ?? ''))
  expect(found.map(({ file }: { readonly file: string }) => file).sort()).toEqual(expected.sort())
  expect(found.map(({ opening }: { readonly opening: string }) => opening)).toEqual(
    Array(3).fill('why does add fail?'),
  )
  const { stdout } = await pipe(['sessions', 'import'], { env })
  expect(stdout).toContain(`Claude Code  Adding numbers\n  pipe sessions import '${expected[0]}'\n`)
  expectRun(await pipe(['sessions', 'import']), {
    stdout: '',
    stderr: complaint("no other agent's session"),
  })
  expect(await readFile(join(home, files[0]?.[0] ?? ''), 'utf8')).toBe(files[0]?.[1])
})
