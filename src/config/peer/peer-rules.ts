import type { FindTool } from '../agents/agent-field.ts'

/** A rule of another agent in our words. */
export interface ReadPeerRule {
  /** The rules that stand for it; none if nothing here does what it is about. */
  readonly rules: readonly string[]
  /** They only ask, whatever the file says: the rule cannot be read. */
  readonly isGuess?: true
  /** Says how the rules differ from the written ones, as the end of a sentence that begins with the rule. */
  readonly note?: string
}

/** Tools of the other agent whose work no tool does here. */
const absent = new Set([
  ...['websearch', 'lsp', 'monitor', 'sendmessage', 'agentoutputtool', 'slashcommand', 'batch', 'batchtool'],
  ...['enterplanmode', 'exitplanmode', 'exit_plan_mode', 'enterworktree', 'exitworktree'],
])

/** Tools that only read, and whose paths our rules for reading cover. */
const readers = new Set(['ls', 'notebookread'])

/** Tools that show no more than names. Our rules for them would allow reading the files too. */
const listers = new Set(['ls', 'glob'])

/** Tools whose rules name what our rules name too. */
const same = /^(bash|read|grep|glob|edit|write|multiedit|notebookedit)$/

/** Whether a word names a tool of the other agent that has no counterpart here, so that taking it away changes nothing. */
export function isOnlyElsewhere(word: string): boolean {
  const name = word.toLowerCase()
  return absent.has(name) || readers.has(name)
}

/** Rules for all that can change something or send something out. */
export const changing: readonly string[] = ['Bash', 'Edit', 'WebFetch', 'mcp__*']

/**
 * Reads a rule of another agent. One that denies or asks is never read as less than it says: what cannot be told apart here covers
 * the whole tool, and what cannot be read at all asks about all that changes something.
 */
export function readPeerRule(
  entry: unknown,
  behavior: 'deny' | 'ask' | 'allow',
  findTool: FindTool,
): ReadPeerRule {
  const text = typeof entry === 'string' ? entry.trim() : ''
  const [, tool, spec = ''] = /^([A-Za-z][\w.*-]*)\s*(?:\((.*)\))?$/s.exec(text) ?? []
  if (tool === undefined) return unreadable(text, behavior)
  const name = tool.toLowerCase()
  if (behavior === 'allow' && listers.has(name))
    return { rules: [], note: 'allows nothing: a rule for listing would allow reading the files too' }
  if (same.test(name) || /^mcp__/.test(name)) return { rules: [text] }
  if (readers.has(name)) return { rules: [spec === '' ? 'Read' : `Read(${spec})`] }
  if (name === 'webfetch' || name === 'fetch') return pages(text, spec, behavior)
  if (name === 'skill') return skills(spec, behavior)
  const own = findTool(tool === 'Agent' ? 'Task' : tool)
  if (own !== undefined) return whole(own, spec, behavior)
  if (absent.has(name)) return { rules: [], note: 'has no effect: no tool here does this' }
  return { rules: [text] }
}

function unreadable(text: string, behavior: string): ReadPeerRule {
  if (behavior === 'allow') return { rules: [], note: 'cannot be read, so it allows nothing' }
  const [name = ''] = /^\w+/.exec(text) ?? []
  if (same.test(name.toLowerCase()))
    return { rules: [name], isGuess: true, note: `cannot be read, so pipe asks about every use of ${name}` }
  return {
    rules: changing,
    isGuess: true,
    note: 'cannot be read, so pipe asks about commands, edits, fetches and MCP tools',
  }
}

function pages(text: string, spec: string, behavior: string): ReadPeerRule {
  if (spec === '' || /^domain:[^\s/:]+$/.test(spec)) return { rules: [text] }
  return behavior === 'allow'
    ? { rules: [], note: 'cannot be read, so it allows nothing: expected domain:HOST' }
    : { rules: ['WebFetch'], note: 'covers every page: expected domain:HOST' }
}

/** A skill is a file that the model reads. */
function skills(spec: string, behavior: string): ReadPeerRule {
  if (behavior === 'allow') return { rules: [], note: 'has no effect: skills are read without a question' }
  const name = spec.replace(/(:\*| .*)$/, '').replace(/^.*:/, '')
  return {
    rules: [name === '' || name === '*' ? 'Read(**/SKILL.md)' : `Read(**/skills/**/${name}/SKILL.md)`],
  }
}

function whole(tool: string, spec: string, behavior: string): ReadPeerRule {
  if (/^\*?$/.test(spec)) return { rules: [tool] }
  return behavior === 'allow'
    ? { rules: [], note: `allows nothing: rules for ${tool} cover every use of it` }
    : { rules: [tool], note: `covers every use of the tool ${tool}` }
}
