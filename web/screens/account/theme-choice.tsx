/** The choice between the light theme, the dark theme and the system's. */
import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core'
import { usePhone } from '../../ui/use-phone.ts'

const choices: { value: MantineColorScheme; label: string }[] = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

export function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label="Theme"
      data={choices}
      value={colorScheme}
      onChange={setColorScheme}
      fullWidth={usePhone()}
    />
  )
}
