import { afterEach, expect, it } from 'vitest'
import { systemClock } from '../../../src/cli/system-clock.ts'
import type { CommandRunner } from '../../../src/machine/running-command.ts'
import type { Sandbox } from '../../../src/machine/sandbox.ts'
import { createCommandRunner } from '../../../src/process/command-runner.ts'
import { drainRun, toolContext } from '../../support/conversations/tool-run.ts'
import { createToolbox, path, type Toolbox } from '../toolbox.ts'

const benches: Toolbox[] = []
afterEach(async () => {
  for (const toolbox of benches.splice(0)) await toolbox.close()
})

/** Output that the test sandbox recognises as its own doing. */
const hints = { done: 'read-only', failed: 'refused', late: 'waiting' }

/** A sandbox that marks the commands that run in it. */
function markedSandbox(commands: CommandRunner): Sandbox {
  return {
    mode: 'workspace-write',
    commands: {
      ...commands,
      start: (program, options) =>
        commands.start({ ...program, env: { ...program.env, INSIDE: 'yes' } }, options),
    },
    explain: (output, outcome) => (output.includes(hints[outcome]) ? 'blocked by sandbox' : undefined),
  }
}

interface Arguments {
  readonly command: string
  readonly sandbox?: boolean
  readonly timeout?: number
  readonly on_timeout?: string
}

async function run(given: Arguments, confined: boolean, sandbox?: Sandbox) {
  const args = { ...given }
  const toolbox = await createToolbox({ PATH: path }, sandbox === undefined ? {} : { sandbox })
  benches.push(toolbox)
  const { result } = await drainRun(toolbox.executor.execute('bash', args, { ...toolContext(), confined }))
  return result
}

const commands = createCommandRunner({ clock: systemClock })
afterEach(() => commands.close())

it('runs a confined call in the sandbox, whatever the model asks', async () => {
  const sandbox = markedSandbox(commands)
  for (const flag of [{}, { sandbox: true }, { sandbox: false }]) {
    expect(await run({ command: 'echo "in: $INSIDE"', ...flag }, true, sandbox)).toMatchObject({
      content: [{ text: 'in: yes' }],
      details: { sandbox: 'workspace-write' },
    })
  }
  const outside = await run({ command: 'echo "in: $INSIDE"', sandbox: false }, false, sandbox)
  expect(outside.content).toEqual([{ type: 'text', text: 'in: ' }])
  expect(outside.details).not.toHaveProperty('sandbox')
})

it('SAND-221: reports what the sandbox blocked', async () => {
  const sandbox = markedSandbox(commands)
  const texts = async (command: string, confined: boolean) =>
    (await run({ command }, confined, sandbox)).content.map((block) =>
      block.type === 'text' ? block.text : '',
    )
  expect(await texts('echo refused; exit 1', true)).toEqual(['refused\n[exit code 1; blocked by sandbox]'])
  expect(await texts('echo oh; exit 1', true)).toEqual(['oh\n[exit code 1]'])
  expect(await texts('echo refused', true)).toEqual(['refused'])
  expect(await texts('echo read-only; true', true)).toEqual(['read-only\n[blocked by sandbox]'])
  expect(await texts('echo refused; exit 1', false)).toEqual(['refused\n[exit code 1]'])
})

it('explains a timeout that the sandbox may have caused', async () => {
  const sandbox = markedSandbox(commands)
  const late = { command: 'echo waiting; exec sleep 600', timeout: 1 }
  expect(await run({ ...late, on_timeout: 'kill' }, true, sandbox)).toMatchObject({
    content: [
      {
        text: 'waiting\n[timed out after 1 s and was ended; set a longer timeout (at most 600); blocked by sandbox]',
      },
    ],
  })
  expect(await run(late, true, sandbox)).toMatchObject({
    content: [{ text: expect.stringMatching(/; see process; blocked by sandbox\]$/) }],
  })
})

it('does not run a confined call without a sandbox', async () => {
  await expect(run({ command: 'echo' }, true)).rejects.toMatchObject({ code: 'sandbox' })
})
