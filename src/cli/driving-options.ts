import type { Option } from './option.ts'

/** Lists the flags by which another program drives a run. */
export const drivingOptions = [
  {
    name: 'input-format',
    value: 'FORMAT',
    choices: ['text', 'stream-json'],
    help: 'text, or stream-json: a program drives pipe with lines on stdin and -o stream-json',
  },
  {
    name: 'protocol',
    value: 'NAME',
    choices: ['pipe', 'claude'],
    help: 'pipe (default) or claude: write -o json and stream-json as pipe or as Claude Code does',
  },
  {
    name: 'include-partial-messages',
    help: 'with --protocol claude: write the pieces of replies too, as --protocol pipe always does',
  },
  {
    name: 'replay-user-messages',
    help: 'with --protocol claude: write the messages of the user too, as --protocol pipe always does',
  },
  {
    name: 'resume-session-at',
    value: 'MESSAGE',
    help: 'with -r ID: go back to this message, as in -r ID@MESSAGE',
  },
  {
    name: 'permission-prompts',
    value: 'WHO',
    choices: ['host', 'none'],
    help: 'who answers questions about permissions: host, as --permission-prompt-tool says, or none, which denies the calls',
  },
  { name: 'await-initialize', hasNoEffect: true, help: '' },
  { name: 'initialize-fields', value: 'NAMES', hasNoEffect: true, help: '' },
  { name: 'allow-dangerously-skip-permissions', hasNoEffect: true, help: '' },
  { name: 'forward-subagent-text', hasNoEffect: true, help: '' },
  { name: 'exclude-dynamic-system-prompt-sections', hasNoEffect: true, help: '' },
  { name: 'no-chrome', hasNoEffect: true, help: '' },
  { name: 'include-hook-events', hasNoEffect: true, help: '' },
  { name: 'setting-sources', value: 'NAMES', hasNoEffect: true, help: '' },
  { name: 'betas', value: 'NAMES', hasNoEffect: true, help: '' },
  { name: 'debug-file', value: 'PATH', hasNoEffect: true, help: '' },
  { name: 'thinking-display', value: 'HOW', hasNoEffect: true, help: '' },
] as const satisfies readonly Option[]
