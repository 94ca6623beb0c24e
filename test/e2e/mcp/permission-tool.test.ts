import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { outlineRequest, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

const server = fileURLToPath(new URL('../../support/mcp/approving-server.js', import.meta.url))
const tool = 'mcp__approver__approve'

/** The flags by which a server answers for the user. */
function asking({ cwd }: World, name = tool): readonly string[] {
  const approver = { command: process.execPath, args: [server], env: { ASKED: join(cwd, 'asked') } }
  const config = JSON.stringify({ mcpServers: { approver } })
  return ['--mcp-config', config, '--strict-mcp-config', '--permission-prompt-tool', name]
}

/** Lists the questions to the tool. */
function askedOf({ cwd }: World): readonly unknown[] {
  const file = join(cwd, 'asked')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}

function lastOf(world: World): string {
  const last = world.server.requests.at(-1)
  return last === undefined ? '' : (outlineRequest(last.body).at(-1) ?? '')
}

describe('--permission-prompt-tool', () => {
  it('answers for the user, and is told calls in the words of its authors', async () => {
    const world = await openWorld()
    world.server.reply(use(['write', { path: 'a.txt', content: 'x' }]), say('Done.'))
    expectRun(await world.pipe([...asking(world), 'write it']), { stdout: 'Done.\n' })
    expect(readFileSync(join(world.cwd, 'a.txt'), 'utf8')).toBe('x')
    expect(askedOf(world)).toEqual([
      { tool_name: 'Write', input: { file_path: join(world.cwd, 'a.txt'), content: 'x' } },
    ])
    expect(JSON.stringify(world.server.requests[0]?.body.tools)).not.toContain(tool)
  })

  it('is asked nothing that a rule allows or denies', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch a' }], ['bash', { command: 'mkdir b' }]), say('Half.'))
    const rules = ['--allowed-tools=Bash(touch:*)', '--disallowed-tools=Bash(mkdir:*)']
    expectRun(await world.pipe([...asking(world), ...rules, 'go']), {
      stdout: 'Half.\n',
      stderr: complaint(/1 call was denied: bash/),
    })
    expect(askedOf(world)).toEqual([])
    expect([existsSync(join(world.cwd, 'a')), existsSync(join(world.cwd, 'b'))]).toEqual([true, false])
  })

  it('may change a call, which is judged as it is then', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch change' }]), say('Done.'))
    const run = await world.pipe([...asking(world), '-v', 'go'])
    expect(run.stderr).toContain(`${tool} changed the arguments of bash`)
    expect(['change', 'changed'].map((name) => existsSync(join(world.cwd, name)))).toEqual([false, true])
    await world.put('forbidden', '')
    world.server.reply(use(['bash', { command: 'touch escape' }]), say('No.'))
    expectRun(await world.pipe([...asking(world), '--disallowed-tools=Bash(rm:*)', 'go']), {
      stdout: 'No.\n',
      stderr: complaint(/1 call was denied: bash/),
    })
    expect(existsSync(join(world.cwd, 'forbidden'))).toBe(true)
  })

  it.each([
    ['refuse', 'Permission denied: not on Fridays.'],
    ['mumble', `Permission denied: ${tool} gave no valid answer.`],
  ])('denies a call by what it says: %s', async (word, said) => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: `touch ${word}` }]), say('No.'))
    expectRun(await world.pipe([...asking(world), 'go']), {
      stdout: 'No.\n',
      stderr: complaint(/1 call was denied: bash/),
    })
    expect(lastOf(world)).toContain(said)
    expect(existsSync(join(world.cwd, word))).toBe(false)
  })

  it('is not asked where nothing may be asked', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch a' }]), say('No.'))
    expectRun(await world.pipe([...asking(world), '--permission-mode', 'dontAsk', 'go']), {
      stdout: 'No.\n',
      stderr: complaint(/1 call was denied: bash/),
    })
    expect(askedOf(world)).toEqual([])
  })

  it('ends a run in which it cannot be asked', async () => {
    const world = await openWorld()
    expectRun(await world.pipe([...asking(world, 'mcp__other__approve'), 'go']), {
      code: 52,
      stdout: '',
      stderr: complaint(
        '--permission-prompt-tool mcp__other__approve: there is no such MCP server; the servers are approver. --mcp-config FILE adds some',
      ),
    })
    world.server.reply(use(['bash', { command: 'touch a' }]))
    const run = await world.pipe([...asking(world, 'mcp__approver__nod'), 'go'])
    expect([run.code, run.stderr]).toEqual([
      52,
      expect.stringContaining(
        '--permission-prompt-tool mcp__approver__nod: the server has no such tool, only mcp__approver__approve',
      ),
    ])
    expect(existsSync(join(world.cwd, 'a'))).toBe(false)
  })
})
