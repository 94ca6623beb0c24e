import { describe, expect, it } from 'vitest'
import { parseArguments } from '../../../src/cli/args.ts'
import { options } from '../../../src/cli/cli-options.ts'
import { isPipeError } from '../../../src/error.ts'

const disk = {
  sessions: () => [],
  hasTitle: async () => false,
  isFile: () => false,
  isFolder: (word: string) => word === '/lib',
}

/** All flags that version 0.3.332 of the Agent SDK of Claude Code can give, as it writes them. */
const ofSdk = [
  ...['--output-format=stream-json', '--verbose', '--input-format=stream-json', '--thinking=adaptive'],
  ...['--thinking=disabled', '--max-thinking-tokens=2000', '--thinking-display=summarized', '--effort=max'],
  ...['--max-turns=3', '--max-budget-usd=1.5', '--task-budget=1000', '--model=a/b', '--agent=review'],
  ...['--betas=x', '--json-schema={}', '--debug-file=/tmp/x', '--debug', '--permission-prompt-tool=stdio'],
  ...['--permission-prompt-tool=mcp__a__b', '--permission-prompts=none', '--permission-prompts=host'],
  ...['--continue', '--channels=x', '--allowedTools=Read,Skill(x)', '--disallowedTools=Bash'],
  ...['--tools=default', '--tools=Read,Edit', '--tools=', '--mcp-config={"mcpServers":{}}'],
  ...['--setting-sources=user,project', '--setting-sources=', '--strict-mcp-config'],
  ...['--permission-mode=acceptEdits', '--permission-mode=dontAsk', '--permission-mode=auto'],
  ...['--allow-dangerously-skip-permissions', '--fallback-model=a/c', '--include-hook-events'],
  ...['--include-partial-messages', '--session-mirror', '--project-config-root=/', '--add-dir=/lib'],
  ...['--await-initialize', '--plugin-dir=/p', '--plugin-dir-no-mcp=/p', '--no-session-persistence'],
  ...['--session-id=00000000-0000-4000-8000-00000000000a', '--initialize-fields=settings,disallowedTools'],
  ...['--managed-settings-in-initialize', '--managed-settings={}', '--settings={}', '--resume-drops-turn=x'],
  ...['--fork-session', '--resume-session-at=x', '--replay-user-messages'],
]

/** Other flags that scripts give Claude Code. Values stand as words of their own. */
const ofScripts = [
  ['-p'],
  ['--print'],
  ['--dangerously-skip-permissions'],
  ['-d'],
  ['--debug=api,!mcp'],
  ['--system-prompt', 'Be brief.'],
  ['--append-system-prompt', 'Be kind.'],
  ['--system-prompt-file', 'a.md'],
  ['--append-system-prompt-file', 'a.md'],
  ['--agents', '{}'],
  ['--bare'],
  ['--name', 'x'],
  ['--worktree', 'x'],
  ['--permission-mode', 'manual'],
  ['--disable-slash-commands'],
  ['--from-pr', '12'],
  ['--chrome'],
  ['--no-chrome'],
  ['--ide'],
  ['--tmux'],
  ['--remote', 'x'],
  ['--remote-control'],
  ['--teleport'],
  ['--init'],
  ['--init-only'],
  ['--maintenance'],
  ['--mcp-debug'],
  ['--plugin-url', 'https://example.com/x.zip'],
  ['--exclude-dynamic-system-prompt-sections'],
  ['--enable-auto-mode'],
  ['--prefill', 'x'],
  ['--brief'],
  ['--safe-mode'],
  ['--restricted'],
  ['--autocompact', 'auto'],
  ['--prompt-suggestions'],
  ['--ax-screen-reader'],
  ['--sdk-url', 'wss://example.com'],
]

/** The flags that pipe takes, or the reason why it does not. */
async function read(words: readonly string[]): Promise<string> {
  try {
    const { type, ...parsed } = await parseArguments([...words, 'fix', 'it'], disk)
    if (type !== 'run' || !('prompt' in parsed)) return type
    const taken = options.some(({ name }) => parsed.flags.has(name))
    return `${taken ? 'taken' : 'lost'}, and the prompt is ${parsed.prompt}`
  } catch (error) {
    if (!isPipeError(error)) throw error
    return error.message.replace(/; .*/, '')
  }
}

describe('a flag of another agent', () => {
  it.each(['-d', '--debug', '--debug=api,!mcp'])('%s is --verbose', async (flag) => {
    expect(await read([flag])).toBe('taken, and the prompt is fix it')
  })

  it.each([
    [['-d', 'api', 'fix the tests'], 'fix the tests'],
    [['--debug', 'api,!mcp', 'fix the tests'], 'fix the tests'],
    [['-d', 'mcp', '-p', 'fix the tests'], 'fix the tests'],
    [['-d', 'fix', 'the', 'tests'], 'fix the tests'],
    [['-d', 'fix the tests'], 'fix the tests'],
    [['-d', 'hello'], 'hello'],
    [['-v', 'fix', 'the tests'], 'fix the tests'],
    [['-d', '--', 'fix', 'the tests'], 'fix the tests'],
  ])('%j has a filter only before a quoted prompt', async (words, prompt) => {
    expect(await parseArguments(words, disk)).toMatchObject({ type: 'run', prompt })
  })

  it('leaves a command after -d a command', async () => {
    expect(await parseArguments(['-d', 'help', 'exit codes'], disk)).toMatchObject({ type: 'command' })
  })

  it.each(['--no-chrome', '--exclude-dynamic-system-prompt-sections', '--forward-subagent-text'])(
    '%s is taken, because pipe does what it says anyway',
    async (flag) => {
      expect(await read([flag])).toBe('taken, and the prompt is fix it')
    },
  )

  it.each([...ofSdk.map((flag) => [flag]), ...ofScripts].map((words) => [words.join(' '), words] as const))(
    '%s is taken, or refused with what does the same here',
    async (_, words) => {
      const [name = ''] = (words[0] ?? '').split('=')
      expect(['taken, and the prompt is fix it', `pipe has no flag ${name}`]).toContain(await read(words))
    },
  )
})
