/** Switches between the light and dark scheme; the browser remembers the choice. */
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { IconButton } from '../ui/icon-button.tsx'

/** The other scheme, the label for switching to it, and the switch. */
export function useThemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  return {
    label: isDark ? 'Light mode' : 'Dark mode',
    icon: isDark ? IconSun : IconMoon,
    run: () => setColorScheme(isDark ? 'light' : 'dark'),
  }
}

export function ThemeToggle() {
  const { label, icon, run } = useThemeSwitch()
  return <IconButton label={label} icon={icon} onClick={run} />
}
