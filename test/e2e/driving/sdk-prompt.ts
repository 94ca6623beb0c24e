/** A prompt of several messages, each sent once the result of the one before has come. */
export function promptOf(texts: readonly string[], more: (index: number) => object = () => ({})) {
  const waiting: (() => void)[] = []
  const next = () => new Promise<void>((resolve) => waiting.push(resolve))
  async function* prompt() {
    for (const [i, content] of texts.entries()) {
      if (i > 0) await next()
      yield {
        type: 'user',
        message: { role: 'user', content },
        parent_tool_use_id: null,
        session_id: '',
        ...more(i),
      }
    }
    await next()
  }
  return { prompt: prompt(), go: () => waiting.shift()?.() }
}
