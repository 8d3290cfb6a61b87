/** A single-line text that is cut before its tail instead of at its end. */
import { useLayoutEffect, useRef, useState } from 'react'
import { lettersOf } from './letters.ts'
import styles from './middle-text.module.css'

const canvas = document.createElement('canvas').getContext('2d')

/** Measures the width of a text, in pixels, in the font of an element. */
function measureIn(element: Element): (text: string) => number {
  if (canvas !== null) {
    // The `font` shorthand is empty when a numeric font variant is set, so build it from its parts.
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(element)
    canvas.font = `${fontWeight} ${fontSize} ${fontFamily}`
    canvas.textRendering = 'geometricPrecision'
  }
  return text => canvas?.measureText(text).width ?? 0
}

/** The longest part of `head` that fits before an ellipsis and `tail`. */
function cut(element: Element, head: string, tail: string): string {
  const measure = measureIn(element)
  const letters = lettersOf(head)
  const cutAt = (length: number) => `${letters.slice(0, length).join('').trimEnd()}…${tail}`
  let [least, most] = [0, letters.length]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (measure(cutAt(middle)) <= element.clientWidth) least = middle
    else most = middle - 1
  }
  return cutAt(least)
}

/** Cuts `head` and always shows `tail`. The parent needs the whole text as its tooltip. */
export function MiddleText({ head, tail }: { head: string; tail: string }) {
  const ref = useRef<HTMLSpanElement>(null)
  const [shown, setShown] = useState(head + tail)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const adjust = () => setShown(element.scrollWidth > element.clientWidth ? cut(element, head, tail) : head + tail)
    adjust()
    const observer = new ResizeObserver(adjust)
    observer.observe(element)
    return () => observer.disconnect()
  }, [head, tail])
  const whole = head + tail
  return (
    <span ref={ref} className={styles.text} data-whole={whole} data-cut={shown !== whole || undefined} dir="auto">
      {shown}
    </span>
  )
}
