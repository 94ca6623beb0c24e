import type { Provider } from '../../src/provider.ts'
import { type Adapter, openStream } from '../../src/stream.ts'
import { countingIds } from './ids.ts'
import { timestamp } from './messages.ts'

/** A provider for replies that no script can play: the n-th request meets the n-th adapter. */
export function adapted(...adapters: readonly Adapter[]): Provider {
  const ids = countingIds()
  let asked = 0
  return {
    name: 'adapted',
    stream({ model }, { signal }) {
      const adapter = adapters[asked++]
      if (adapter === undefined) throw new Error('asked once more than there are replies')
      return openStream(adapter, { id: ids.message(), timestamp, provider: 'adapted', model }, signal)
    },
  }
}
