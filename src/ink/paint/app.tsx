import { Text, useStdout } from 'ink'
import { useLayoutEffect } from 'react'

export interface AppProps {
  /** The live rows as bytes for the terminal. */
  readonly rows: readonly string[]
  /** Receives the function that writes text above the live rows. */
  readonly onWriter: (write: (text: string) => void) => void
}

/** Renders the live rows. Finished rows are written above them, and Ink does not track those. */
export function App({ rows, onWriter }: AppProps) {
  const { write } = useStdout()
  useLayoutEffect(() => onWriter(write), [onWriter, write])
  return <Text>{rows.join('\n')}</Text>
}
