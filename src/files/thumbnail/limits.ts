/** Constants shared by the server and the program that draws its thumbnails. */

/** Microseconds of CPU time; an image of 100 megapixels takes one or two seconds. */
export const maxProcessorTime = 10_000_000
/**
 * Bytes of memory. Most images are decoded in strips and take less than 150 MB; as a whole, some 400 MB hold 16
 * megapixels of AVIF, 40 of an interlaced PNG with 16 bits per channel, or 60 of a progressive JPEG.
 */
export const maxMemory = 384 * 1024 ** 2
/** The exit code for an image that cannot have a thumbnail. */
export const unreadableCode = 3
/**
 * The signal by which it kills itself when a decoder exceeds the limits: exit() would wait for the decoder's thread.
 */
export const tooCostlySignal = 'SIGUSR2'
/** The most bytes of a thumbnail; a photo's has about 20 KB. Thumbnails do not count towards quotas. */
export const maxThumbnailBytes = 64 * 1024
