/** Stands in the bundle for iconv-lite, whose tables are most of a megabyte: raw-body asks it for text, filestore for bytes. */
export {}
