/** Tells TypeScript what importing a text gives. */
declare module '*.md' {
  const text: string
  export default text
}
