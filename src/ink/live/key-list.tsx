import { drawKeys } from '../keys/shown-keys.ts'
import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'

/** Shows the keys of most use, after `?` at an empty prompt. */
export function KeyList() {
  const { screen, theme } = useScene()
  return <Rows theme={theme} lines={drawKeys(screen)} />
}
