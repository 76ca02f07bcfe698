/** What a document may demand of its reader. Beyond these it is refused with a message, long before time or memory run out. */

const MIB = 1024 * 1024;

/** For all documents: about 20,000 pages, and a tenth of what a reader may hold in memory. */
export const DOCUMENT_TEXT_MAX_CHARACTERS = 50_000_000;

/** For a document's own title: lists, citations and mails show it as a name. */
export const DOCUMENT_TITLE_MAX_CHARACTERS = 500;

/** Archives (DOCX, PPTX, XLSX, EPUB). Real ones have dozens to a few thousand parts. */
export const ARCHIVE_ENTRIES_MAX = 10_000;
/** For all parts together, both as declared and as unpacked. */
export const ARCHIVE_UNPACKED_MAX_BYTES = 1024 * MIB;
/** For one part that is read. */
export const PART_UNPACKED_MAX_BYTES = 256 * MIB;
/** For all parts that are read. */
export const PARTS_UNPACKED_MAX_BYTES = 512 * MIB;
/** Deflate can reach 1,032; the XML of real spreadsheets stays below 100. */
export const PART_RATIO_MAX = 200;
/** Below this size, any compression ratio is allowed: a sheet of identical rows is small and harmless. */
export const PART_RATIO_FREE_BYTES = 4 * MIB;

/** XML: text in a table in a table in a text box nests about 60 elements. */
export const XML_DEPTH_MAX = 256;
/** Elements of a part that is held as a tree: slides, relations, the list of sheets. */
export const XML_TREE_MAX_ELEMENTS = 1_000_000;
/** For a Word document's text, at about 1 KB of memory per element: some 10,000 pages. */
export const DOCX_MAX_ELEMENTS = 500_000;

/** As many columns as any spreadsheet program opens. */
export const TABLE_COLUMNS_MAX = 16_384;
export const TABLE_CELLS_MAX = 2_000_000;

export const SLIDES_MAX = 5000;
export const CHAPTERS_MAX = 5000;

/** At 40 to 70 pages a second, a reader's time suffices for this many. */
export const PDF_PAGES_MAX = 5000;
/** For one PDF stream, a power of two. A page's text takes a few kilobytes; this is the most a thread can handle as one value. */
export const PDF_STREAM_MAX_BYTES = 16 * MIB;
/** A drawing or font that is larger costs its page; any more of them are there to break the reader. */
export const PDF_STREAMS_TOO_LARGE_MAX = 3;
/** A large wall chart takes a second. */
export const PDF_PAGE_TIMEOUT_MS = 4000;
/** For all pages without text together, to see which are pictures: a reader's time is for text. Later ones aren't looked at. */
export const PDF_PICTURES_TIMEOUT_MS = 10_000;
export const PDF_PAGE_MAX_CHARACTERS = 1_000_000;

/** A page's tree takes about 30 times its size. */
export const HTML_MAX_CHARACTERS = 10_000_000;
/** Real pages nest a few dozen elements; thousands are there to break whatever reads them. */
export const HTML_DEPTH_MAX = 500;
export const HTML_MAX_ELEMENTS = 300_000;

export const JSON_MAX_CHARACTERS = 20_000_000;
export const JSON_NESTING_MAX = 100;
