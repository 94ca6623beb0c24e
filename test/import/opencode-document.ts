/** A document as `opencode export` prints it. */
export function opencodeDocument(messages: readonly object[], info: object = {}) {
  return {
    info: {
      id: 'ses_ddcbe1300ffeJr3h4ET8cE1IPS',
      slug: 'quiet-cactus',
      directory: '/home/ann/calc',
      title: 'Adding numbers',
      version: '1.18.33',
      time: { created: 1_771_318_800_000, updated: 1_771_318_900_000 },
      ...info,
    },
    messages,
  }
}

export const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more })

export function tool(callID: string, state: object) {
  return { type: 'tool', tool: 'read', callID, state: { input: { filePath: 'add.js' }, ...state } }
}

export function prompt(id: string, parts: readonly object[]) {
  return { info: { id, role: 'user', time: { created: 1_771_318_800_000 } }, parts }
}

export function reply(id: string, parts: readonly object[], more: object = {}) {
  const info = {
    id,
    role: 'assistant',
    time: { created: 1_771_318_800_000 },
    providerID: 'anthropic',
    modelID: 'claude-sonnet-4-5',
    tokens: { input: 4, output: 7, reasoning: 3, cache: { read: 2000, write: 100 } },
    finish: 'tool-calls',
    ...more,
  }
  return { info, parts }
}
