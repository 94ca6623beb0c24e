import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lastText, outlineRequest, say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { answering, hook, openHooked } from './hooks-setup.ts'

it('hooks stand before the calls of elves too, and hear of their end', async () => {
  const world = await openHooked({
    PreToolUse: hook('cat >call.json; echo not here >&2; exit 2', {}, 'Bash'),
    SubagentStart: hook(
      answering({ hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: 'be brief' } }),
      {},
      'general',
    ),
    SubagentStop: hook('cat >elf.json'),
    UserPromptSubmit: hook('cat >>prompts'),
    Stop: hook('cat >own.json'),
  })
  world.server.reply(
    use(['elf', { prompt: 'touch it', agent: 'general' }]),
    use(['bash', { command: 'touch made' }]),
    say('I could not.'),
    say('It could not.'),
  )
  const run = await world.pipe(['--yolo', 'go'])
  expectRun(run, { stdout: 'It could not.\n', stderr: expect.any(String) })
  expect(existsSync(join(world.cwd, 'made'))).toBe(false)
  const [, first, refused] = world.server.requests
  expect(first === undefined ? '' : outlineRequest(first.body).at(-1)).toContain('be brief')
  expect(refused === undefined ? '' : lastText(refused.body)).toContain('A hook refuses this call: not here')
  const read = async (name: string) => JSON.parse(await readFile(join(world.cwd, name), 'utf8'))
  const { agent_id, agent_type } = await read('call.json')
  expect([agent_id, agent_type]).toEqual([expect.stringMatching(/./), 'general'])
  expect(await read('elf.json')).toMatchObject({
    hook_event_name: 'SubagentStop',
    agent_id,
    agent_type,
    last_assistant_message: 'I could not.',
  })
  const own = await read('own.json')
  expect(own).toMatchObject({ last_assistant_message: 'It could not.' })
  expect(Object.keys(own).filter((name) => name.startsWith('agent_'))).toEqual([])
  expect(await read('prompts')).toMatchObject({ prompt: 'go' })
})

it('Stop of an agent is the end of an elf, beside the SubagentStop that its file has too', async () => {
  const world = await openHooked({})
  const hooks = { Stop: hook('touch stopped'), SubagentStop: hook('touch ended') }
  await mkdir(join(world.home, 'agents'))
  await writeFile(
    join(world.home, 'agents/a.md'),
    `---\nname: a\ndescription: b\nhooks: ${JSON.stringify(hooks)}\n---\nBe it.\n`,
  )
  world.server.reply(use(['elf', { prompt: 'work', agent: 'a' }]), say('Worked.'), say('Done.'))
  expectRun(await world.pipe(['--yolo', 'go']), { stdout: 'Done.\n' })
  expect((await world.shell('ls')).stdout).toBe('ended\nstopped\n')
})
