/** The Mantine theme: the product's colours, sizes and the styles of its controls. */
import {
  ActionIcon,
  Button,
  type CSSVariablesResolver,
  createTheme,
  Input,
  type MantineColorsTuple,
  PasswordInput,
} from '@mantine/core'
import controls from './controls.module.css'
import floating from './floating.module.css'
import { palette, type Shade } from './palette.ts'

const accent: MantineColorsTuple = [
  '#EAF0FF',
  '#DCE6FF',
  '#BACDFF',
  '#8DA9FF',
  '#6B8DF5',
  '#3A61DA',
  '#2A56D4',
  '#2148B8',
  '#1B3B97',
  '#152E75',
]
const gray: MantineColorsTuple = [
  '#F7F8F9',
  '#F4F5F7',
  '#EAECEF',
  '#E4E6EA',
  '#D0D3DA',
  '#868C99',
  '#636978',
  '#4A4F5C',
  '#2B2F38',
  '#15171C',
]
const dark: MantineColorsTuple = [
  '#ECEDF0',
  '#B4B9C4',
  '#8E95A3',
  '#6C7380',
  '#343941',
  '#24282E',
  '#1D2025',
  '#15171B',
  '#101215',
  '#0D0E11',
]

/** The page itself never scrolls. Locking it anyway would make the browser recompute every style on it. */
const lockScroll = false

export const theme = createTheme({
  colors: { accent, gray, dark },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 5 },
  black: palette.text[0],
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '16px', xl: '22px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '24px', xl: '28px' },
  fontWeights: { regular: '400', medium: '500', bold: '600' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '12px' },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: Button.extend({ classNames: { root: controls.button }, defaultProps: { size: 'sm', variant: 'filled' } }),
    ActionIcon: ActionIcon.extend({
      classNames: { root: controls.iconButton },
      defaultProps: { variant: 'subtle', size: 'sm' },
    }),
    Input: Input.extend({ classNames: { wrapper: controls.inputWrapper, input: controls.input } }),
    InputWrapper: Input.Wrapper.extend({
      classNames: {
        root: controls.field,
        label: controls.label,
        description: controls.description,
        error: controls.fieldError,
      },
    }),
    PasswordInput: PasswordInput.extend({
      classNames: { innerInput: controls.innerInput, visibilityToggle: controls.visibilityToggle },
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show password', tabIndex: 0 } },
    }),
    // Configured by name: importing these components would add them to the first load.
    Modal: {
      classNames: {
        content: floating.dialog,
        header: floating.dialogHead,
        title: floating.dialogTitle,
        body: floating.dialogBody,
        overlay: floating.overlay,
      },
      defaultProps: {
        centered: true,
        radius: 'xl',
        closeButtonProps: { 'aria-label': 'Close' },
        // Mantine renders a dialog's head as a header element, but a page must have only one banner.
        attributes: { header: { role: 'presentation' } },
        transitionProps: { duration: 180, transition: 'pop' },
        lockScroll,
      },
    },
    Drawer: {
      classNames: { content: floating.bottomSheet, body: floating.bottomSheetBody, overlay: floating.overlay },
      defaultProps: { lockScroll },
    },
    Checkbox: {
      classNames: {
        body: controls.checkboxBody,
        inner: controls.checkboxInner,
        input: controls.checkbox,
        labelWrapper: controls.checkboxLabel,
      },
      defaultProps: { size: 'xs', radius: 'xs' },
    },
    SegmentedControl: {
      classNames: { root: controls.segments, label: controls.segment, indicator: controls.segmentIndicator },
      defaultProps: { size: 'sm', withItemsBorders: false },
    },
    Tabs: { classNames: { list: controls.tabList, tab: controls.tab, panel: controls.tabPanel } },
  },
})

const variablesOf = (scheme: 0 | 1): Record<string, string> =>
  Object.fromEntries(Object.entries<Shade>(palette).map(([name, shade]) => [`--fs-${name}`, shade[scheme]]))

const mantineVariables = {
  '--mantine-color-body': 'var(--fs-canvas)',
  '--mantine-color-text': 'var(--fs-text)',
  '--mantine-color-dimmed': 'var(--fs-text-3)',
  '--mantine-color-error': 'var(--fs-danger)',
  '--mantine-color-placeholder': 'var(--fs-text-3)',
  '--mantine-primary-color-filled': 'var(--fs-accent-fill)',
  '--mantine-primary-color-filled-hover': 'var(--fs-accent-fill-hover)',
}

/** Turns every palette colour into a CSS variable of its scheme, and maps Mantine's variables to them. */
export const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...variablesOf(0), ...mantineVariables },
  dark: { ...variablesOf(1), ...mantineVariables },
})
