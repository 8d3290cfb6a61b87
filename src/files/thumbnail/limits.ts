/** What the server and the program that draws its thumbnails agree on. */

/** Microseconds of processor time; an image of 100 megapixels takes one or two seconds. */
export const maxProcessorTime = 10_000_000
/** Bytes of memory; 100 megapixels that must be decoded as a whole take 400 MB, or 800 with 16 bits a channel. */
export const maxMemory = 1024 ** 3
/** How the program ends for an image that can have no thumbnail. */
export const unreadableCode = 3
/** How it ends itself where a decoder takes more than the above: no exit of its own ends what runs in a thread. */
export const tooCostlySignal = 'SIGUSR2'
/** Bytes of a thumbnail; of a photo it has about 20 KB. No quota counts it. */
export const maxThumbnailBytes = 64 * 1024
