import { Rows } from '../paint/rows.tsx'
import { useScene } from '../paint/scene.ts'
import type { Picker } from '../picker/picker.ts'
import { drawPicker, pickerArea } from '../picker/picker-view.ts'

/** Shows a list to choose from. */
export function PickerInput({ picker }: { readonly picker: Picker }) {
  const { screen, theme } = useScene()
  return <Rows theme={theme} lines={drawPicker(picker, pickerArea(screen))} />
}
