/** Switches between the light and the dark scheme; the choice is remembered by the browser. */
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { IconButton } from '../ui/icon-button.tsx'

/** The other scheme, what switching to it is called, and the switch. */
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
