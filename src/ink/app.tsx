import { Static, Text } from 'ink'
import { useSyncExternalStore } from 'react'
import { drawEntry } from './entry.ts'
import { type Line, paint } from './line.ts'
import { drawLive } from './live.ts'
import type { Store } from './store.ts'

export interface AppProps {
  readonly store: Store
  readonly colors: boolean
}

/** The transcript, which the terminal keeps, and the live rows below it. */
export function App({ store, colors }: AppProps) {
  const { screen, transcript } = useSyncExternalStore(store.subscribe, store.shown)
  const { columns } = screen.size
  return (
    <>
      <Static items={transcript}>
        {(entry, i) => <Rows key={i} rows={drawEntry(entry, columns, transcript[i - 1])} colors={colors} />}
      </Static>
      <Rows rows={drawLive(screen)} colors={colors} />
    </>
  )
}

function Rows({ rows, colors }: { readonly rows: readonly Line[]; readonly colors: boolean }) {
  return <Text>{rows.map((row) => paint(row, colors)).join('\n')}</Text>
}
