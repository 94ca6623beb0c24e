import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'
import type { Panel } from '../panel/panel.ts'
import { drawPanel } from '../panel/panel-view.ts'

/** Shows the open list of tasks or elves. */
export function PanelInput({ panel }: { readonly panel: Panel }) {
  const { screen, theme } = useScene()
  return <Rows theme={theme} lines={drawPanel(screen, panel)} />
}
