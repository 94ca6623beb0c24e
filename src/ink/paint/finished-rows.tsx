import { Static } from 'ink'
import { paint } from '../rows/line.ts'
import { RowText } from './rows.tsx'
import { useScene } from './scene.ts'

/** Writes finished rows above the live ones. Each batch has a list of its own, so that none grows with the conversation. */
export function FinishedRows() {
  const { finished, batch, theme } = useScene()
  return (
    <Static key={batch} items={[...finished]}>
      {(line, i) => <RowText key={i} text={paint(line, theme)} />}
    </Static>
  )
}
