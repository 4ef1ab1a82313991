#include "modules/parser_prose.hpp"

namespace darrow::prose {
namespace {

// clang-format off
constexpr std::string_view null_module_about[] = {
    "example module NULL, for developers of Darshan:",
    "  FOOS: calls of the imaginary function foo",
    "  FOO_MAX_DAT: largest value that was passed to it",
    "  F_FOO_TIMESTAMP: when it was first called",
    "  F_FOO_MAX_DURATION: how long the call with that value took",
};
constexpr std::string_view posix_about[] = {
    "what the counters of POSIX tell:",
    "  OPENS, READS, WRITES, SEEKS, STATS, ...: number of calls of each kind",
    "  MMAPS, FSYNCS, FDSYNCS: calls that map the file, or bring its data to storage",
    "  FILENOS, DUPS: further descriptors of the file, from fileno() and dup()",
    "  RENAME_SOURCES, RENAME_TARGETS: renames that took the name away, or gave it to the file",
    "  RENAMED_FROM: record id of the file that was first renamed to this one",
    "  MODE: permission bits asked for in opening",
    "  BYTES_READ, BYTES_WRITTEN: bytes moved",
    "  MAX_BYTE_READ, MAX_BYTE_WRITTEN: highest offset that was reached",
    "  CONSEC_READS, CONSEC_WRITES: calls that began right where the one before them ended",
    "  SEQ_READS, SEQ_WRITES: calls that began behind the one before them",
    "  RW_SWITCHES: how often reading followed writing, or the other way round",
    "  MEM_ALIGNMENT, FILE_ALIGNMENT: alignment that was wanted, in bytes",
    "  MEM_NOT_ALIGNED, FILE_NOT_ALIGNED: reads and writes that missed it",
    "  MAX_READ_TIME_SIZE, MAX_WRITE_TIME_SIZE: bytes of the longest read and write",
    "  SIZE_READ_*, SIZE_WRITE_*: number of calls by the bytes they moved",
    "  STRIDE1_STRIDE ... STRIDE4_STRIDE: most frequent distances between accesses",
    "  STRIDE1_COUNT ... STRIDE4_COUNT: how often each of them occurred",
    "  ACCESS1_ACCESS ... ACCESS4_ACCESS: most frequent sizes of accesses",
    "  ACCESS1_COUNT ... ACCESS4_COUNT: how often each of them occurred",
    "  FASTEST_RANK, SLOWEST_RANK: in shared records the ranks with least and most I/O time",
    "  FASTEST_RANK_BYTES, SLOWEST_RANK_BYTES: what these moved",
    "  F_*_START_TIMESTAMP, F_*_END_TIMESTAMP: first start and last end of each kind of call",
    "  F_READ_TIME, F_WRITE_TIME, F_META_TIME: seconds in calls, added up over the ranks of the record",
    "  F_MAX_READ_TIME, F_MAX_WRITE_TIME: seconds of the longest read and write",
    "  F_FASTEST_RANK_TIME, F_SLOWEST_RANK_TIME: I/O time of the two ranks named above",
    "  F_VARIANCE_RANK_TIME, F_VARIANCE_RANK_BYTES: their spread over all ranks",
};
constexpr std::string_view posix_caveat_1[] = {
    "WARNING: records of version 1 of this module may hold the calls of C streams",
    "         (fopen, fread, fwrite, ...) together with those on descriptors. Records",
    "         of which that is known are left out, for their numbers mean neither; what",
    "         such files did cannot be told from this log.",
};
constexpr std::string_view posix_caveat_2[] = {
    "WARNING: records of versions 1 and 2 do not tell when the first close began",
    "         and when the last open ended: F_CLOSE_START_TIMESTAMP and",
    "         F_OPEN_END_TIMESTAMP are -1, which says that they were not",
    "         recorded.",
};
constexpr std::string_view posix_caveat_3[] = {
    "WARNING: records of versions 1 to 3 lack some of these counters. -1 says so",
    "         in the following:",
    "           calls of fileno() and dup(): FILENOS, DUPS",
    "           renames: RENAME_SOURCES, RENAME_TARGETS",
    "         RENAMED_FROM is 0 then, as it is for files that were never renamed.",
    "         OPENS does not include the calls of fileno() and dup()",
    "         in these versions.",
};
constexpr std::string_view posix_caveat_4[] = {
    "WARNING: OPENS counts the calls of FILENOS and DUPS too",
};
constexpr std::string_view posix_caveat_5[] = {
    "WARNING: if a file was used through POSIX and C streams at once, what depends on offsets may be wrong:",
    "         highest offsets, sequential and consecutive calls, alignment, strides",
};
constexpr ParserCaveat posix_caveats[] = {
    {1, 1, posix_caveat_1},
    {1, 2, posix_caveat_2},
    {1, 3, posix_caveat_3},
    {4, 255, posix_caveat_4},
    {4, 255, posix_caveat_5},
};
constexpr std::string_view mpiio_about[] = {
    "what the counters of MPI-IO tell:",
    "  INDEP_OPENS, INDEP_READS, INDEP_WRITES: independent calls",
    "  COLL_OPENS, COLL_READS, COLL_WRITES: collective calls",
    "  SPLIT_READS, SPLIT_WRITES: collective calls in two halves",
    "  NB_READS, NB_WRITES: calls that do not wait for the data",
    "  SYNCS: calls of MPI_File_sync",
    "  HINTS: times that hints were given",
    "  VIEWS: times that the view of the file was set",
    "  MODE: access mode asked for in opening",
    "  BYTES_READ, BYTES_WRITTEN: bytes moved",
    "  RW_SWITCHES: how often reading followed writing, or the other way round",
    "  MAX_READ_TIME_SIZE, MAX_WRITE_TIME_SIZE: bytes of the longest read and write",
    "  SIZE_READ_AGG_*, SIZE_WRITE_AGG_*: number of calls by the bytes they moved",
    "      in all, over the pieces of the datatype",
    "  ACCESS1_ACCESS ... ACCESS4_ACCESS: most frequent sizes of accesses",
    "  ACCESS1_COUNT ... ACCESS4_COUNT: how often each of them occurred",
    "  FASTEST_RANK, SLOWEST_RANK: in shared records the ranks with least and most I/O time",
    "  FASTEST_RANK_BYTES, SLOWEST_RANK_BYTES: what these moved",
    "  F_*_START_TIMESTAMP: first start of each kind of call",
    "  F_*_END_TIMESTAMP: last end of each kind of call",
    "  F_READ_TIME, F_WRITE_TIME, F_META_TIME: seconds in calls, added up over the ranks of the record",
    "  F_MAX_READ_TIME, F_MAX_WRITE_TIME: seconds of the longest read and write",
    "  F_FASTEST_RANK_TIME, F_SLOWEST_RANK_TIME: I/O time of the two ranks named above",
    "  F_VARIANCE_RANK_TIME, F_VARIANCE_RANK_BYTES: their spread over all ranks",
};
constexpr std::string_view mpiio_caveat_1[] = {
    "WARNING: in records of version 1 the time at which writing began",
    "         may be wrong.",
};
constexpr std::string_view mpiio_caveat_2[] = {
    "WARNING: records of versions 1 and 2 do not tell when the first",
    "         close began and when the last open ended: both times",
    "         are -1.",
};
constexpr ParserCaveat mpiio_caveats[] = {
    {1, 1, mpiio_caveat_1},
    {1, 2, mpiio_caveat_2},
};
constexpr std::string_view h5f_about[] = {
    "what the counters of H5F tell:",
    "  OPENS: files created or opened",
    "  FLUSHES: files flushed",
    "  USE_MPIIO: 1 if HDF5 went through MPI-IO",
    "  F_*_START_TIMESTAMP: first start of opens and closes",
    "  F_*_END_TIMESTAMP: last end of opens and closes",
    "  F_META_TIME: seconds in all these calls",
};
constexpr std::string_view h5f_caveat_1[] = {
    "WARNING: records of version 1 do not tell when",
    "         the first close began and when the last",
    "         open ended: both times are -1.",
};
constexpr std::string_view h5f_caveat_2[] = {
    "WARNING: records of versions 1 and 2 tell neither",
    "         of flushes, nor whether MPI-IO was used,",
    "         nor how long calls took: FLUSHES,",
    "         USE_MPIIO and F_META_TIME are -1.",
};
constexpr ParserCaveat h5f_caveats[] = {
    {1, 1, h5f_caveat_1},
    {1, 2, h5f_caveat_2},
};
constexpr std::string_view h5d_about[] = {
    "what the counters of H5D tell:",
    "  OPENS, READS, WRITES: number of calls of each kind",
    "  FLUSHES: calls that flush the dataset",
    "  BYTES_READ, BYTES_WRITTEN: bytes moved",
    "  RW_SWITCHES: how often reading followed writing, or the other way round",
    "  REGULAR_HYPERSLAB_SELECTS: accesses to a regular part of the dataset",
    "  IRREGULAR_HYPERSLAB_SELECTS: accesses to an irregular union of parts",
    "  POINT_SELECTS: accesses to single points",
    "  MAX_READ_TIME_SIZE, MAX_WRITE_TIME_SIZE: bytes of the longest read and write",
    "  SIZE_READ_AGG_*, SIZE_WRITE_AGG_*: number of calls by the bytes they moved",
    "  ACCESS1_ACCESS ... ACCESS4_ACCESS: most frequent sizes of accesses",
    "  ACCESS*_LENGTH_D1 ... D5: their lengths in the last five dimensions",
    "  ACCESS*_STRIDE_D1 ... D5: their strides in these",
    "  ACCESS1_COUNT ... ACCESS4_COUNT: how often each of them occurred",
    "  DATASPACE_NDIMS, DATASPACE_NPOINTS: dimensions and elements of the dataset",
    "  DATATYPE_SIZE: bytes of an element",
    "  CHUNK_SIZE_D1 ... D5: chunk in the last five dimensions; 0: not chunked",
    "  USE_MPIIO_COLLECTIVE: 1 if there were collective transfers",
    "  USE_DEPRECATED: 1 if deprecated functions of HDF5 were called",
    "  FASTEST_RANK, SLOWEST_RANK: in shared records the ranks with least and most I/O time",
    "  FASTEST_RANK_BYTES, SLOWEST_RANK_BYTES: what these moved",
    "  F_*_START_TIMESTAMP, F_*_END_TIMESTAMP: first start and last end of each kind of call",
    "  F_READ_TIME, F_WRITE_TIME, F_META_TIME: seconds in calls, added up over the ranks of the record",
    "  F_MAX_READ_TIME, F_MAX_WRITE_TIME: seconds of the longest read and write",
    "  F_FASTEST_RANK_TIME, F_SLOWEST_RANK_TIME: I/O time of the two ranks named above",
    "  F_VARIANCE_RANK_TIME, F_VARIANCE_RANK_BYTES: their spread over all ranks",
    "  FILE_REC_ID: record id of the file in which the dataset lies",
};
constexpr std::string_view h5d_caveat_1[] = {
    "WARNING: records of version 1 do not tell the file of a dataset:",
    "         FILE_REC_ID is 0.",
};
constexpr ParserCaveat h5d_caveats[] = {
    {1, 1, h5d_caveat_1},
};
constexpr std::string_view pnetcdf_file_about[] = {
    "what the counters of PNETCDF_FILE tell:",
    "  CREATES, OPENS: files created and opened",
    "  REDEFS: returns to define mode",
    "  INDEP_WAITS: independent waits for nonblocking requests",
    "  COLL_WAITS: collective ones",
    "  SYNCS: calls of ncmpi_sync",
    "  BYTES_READ: bytes that PnetCDF read, the header included",
    "  BYTES_WRITTEN: bytes that it wrote, the header included",
    "  WAIT_FAILURES: waits that returned an error",
    "  F_*_START_TIMESTAMP: first start of opens, closes and waits",
    "  F_*_END_TIMESTAMP: last end of these",
    "  F_META_TIME: seconds in create, open, close, define and sync calls",
    "  F_WAIT_TIME: seconds in waits, in which nonblocking requests are carried out",
    "               (all times are added up over the ranks of the record)",
};
constexpr std::string_view pnetcdf_file_caveat_1[] = {
    "WARNING: records of version 1 do not tell when the first close",
    "         began and when the last open ended: both times",
    "         are -1.",
};
constexpr std::string_view pnetcdf_file_caveat_2[] = {
    "WARNING: records of versions 1 and 2 counted independent and",
    "         collective opens only. OPENS is the sum of both.",
    "         The following are -1:",
    "           CREATES",
    "           REDEFS",
    "           INDEP_WAITS, COLL_WAITS",
    "           SYNCS",
    "           BYTES_READ, BYTES_WRITTEN",
    "           WAIT_FAILURES",
    "           F_WAIT_START_TIMESTAMP, F_WAIT_END_TIMESTAMP",
    "           F_META_TIME",
    "           F_WAIT_TIME",
    "         There are no records of variables in such logs.",
};
constexpr ParserCaveat pnetcdf_file_caveats[] = {
    {1, 1, pnetcdf_file_caveat_1},
    {1, 2, pnetcdf_file_caveat_2},
};
constexpr std::string_view pnetcdf_var_about[] = {
    "what the counters of PNETCDF_VAR tell:",
    "  OPENS: variables defined, or looked up",
    "  INDEP_READS, INDEP_WRITES: independent accesses",
    "  COLL_READS, COLL_WRITES: collective accesses",
    "  NB_READS, NB_WRITES: accesses that do not wait for the data",
    "  BYTES_READ, BYTES_WRITTEN: bytes moved",
    "  RW_SWITCHES: how often reading followed writing, or the other way round",
    "  PUT_VAR, GET_VAR: accesses to whole variables",
    "  PUT_VAR1, GET_VAR1: accesses to one element",
    "  PUT_VARA, GET_VARA: accesses to a block",
    "  PUT_VARS, GET_VARS: accesses to a block with strides",
    "  PUT_VARM, GET_VARM: accesses with a mapping of memory",
    "  PUT_VARN, GET_VARN: accesses to several blocks",
    "  PUT_VARD, GET_VARD: accesses by an MPI datatype",
    "  MAX_READ_TIME_SIZE, MAX_WRITE_TIME_SIZE: bytes of the longest read and write",
    "  SIZE_READ_AGG_*, SIZE_WRITE_AGG_*: number of accesses by the bytes they moved",
    "  ACCESS1_ACCESS ... ACCESS4_ACCESS: most frequent sizes of accesses",
    "  ACCESS*_LENGTH_D1 ... D5: their lengths in the last five dimensions",
    "  ACCESS*_STRIDE_D1 ... D5: their strides in these",
    "  ACCESS1_COUNT ... ACCESS4_COUNT: how often each of them occurred",
    "  NDIMS, NPOINTS: dimensions and elements of the variable",
    "  DATATYPE_SIZE: bytes of an element",
    "  IS_RECORD_VAR: 1 if it grows along the unlimited dimension",
    "  FASTEST_RANK, SLOWEST_RANK: in shared records the ranks with least and most I/O time",
    "  FASTEST_RANK_BYTES, SLOWEST_RANK_BYTES: what these moved",
    "  F_*_START_TIMESTAMP, F_*_END_TIMESTAMP: first start and last end of each kind of call",
    "  F_READ_TIME, F_WRITE_TIME, F_META_TIME: seconds in calls, added up over the ranks of the record",
    "  F_MAX_READ_TIME, F_MAX_WRITE_TIME: seconds of the longest read and write",
    "  F_FASTEST_RANK_TIME, F_SLOWEST_RANK_TIME: I/O time of the two ranks named above",
    "  F_VARIANCE_RANK_TIME, F_VARIANCE_RANK_BYTES: their spread over all ranks",
    "  FILE_REC_ID: record id of the file in which the variable lies",
};
constexpr std::string_view bgq_about[] = {
    "what the counters of BG/Q tell:",
    "  CSJOBID: number of the job in the control system",
    "  NNODES: compute nodes of the block",
    "  RANKSPERNODE: processes of a compute node",
    "  DDRPERNODE: its main memory, in MiB",
    "  INODES: I/O nodes that served the job",
    "  ANODES, BNODES, CNODES, DNODES, ENODES: nodes along each dimension of the torus",
    "  TORUSENABLED: dimensions that wrap around, as bits",
    "  F_TIMESTAMP: when these facts were collected",
};
constexpr std::string_view lustre_about[] = {
    "what the lines of LUSTRE tell:",
    "  NUM_COMPONENTS: parts of the file with a layout of their own",
    "  NUM_STRIPES: targets (OSTs) of all components together",
    "  COMP*_STRIPE_SIZE: bytes on one target before the next one follows",
    "  COMP*_STRIPE_COUNT: targets of the component; 0: its data lies with the metadata",
    "  COMP*_STRIPE_PATTERN: how stripes are placed",
    "  COMP*_FLAGS: state of the component",
    "  COMP*_EXT_START: first offset in the file that it holds",
    "  COMP*_EXT_END: offset behind the last one; -1: end of the file",
    "  COMP*_MIRROR_ID: mirror to which it belongs",
    "  COMP*_POOL_NAME: pool from which its targets were taken",
    "  COMP*_OST_ID_*: its targets, in the order of stripes",
};
constexpr std::string_view stdio_about[] = {
    "what the counters of STDIO tell:",
    "  OPENS, READS, WRITES, SEEKS, FLUSHES, FDOPENS: number of calls of each kind",
    "  BYTES_WRITTEN, BYTES_READ: bytes moved",
    "  MAX_BYTE_WRITTEN, MAX_BYTE_READ: highest offset that was reached",
    "  FASTEST_RANK, SLOWEST_RANK: in shared records the ranks with least and most I/O time",
    "  FASTEST_RANK_BYTES, SLOWEST_RANK_BYTES: what these moved",
    "  F_META_TIME, F_WRITE_TIME, F_READ_TIME: seconds in calls, added up over the ranks of the record",
    "  F_*_START_TIMESTAMP: first start of each kind of call",
    "  F_*_END_TIMESTAMP: last end of each kind of call",
    "  F_FASTEST_RANK_TIME, F_SLOWEST_RANK_TIME: I/O time of the two ranks named above",
    "  F_VARIANCE_RANK_TIME, F_VARIANCE_RANK_BYTES: their spread over all ranks",
};
constexpr std::string_view stdio_caveat_1[] = {
    "WARNING: records of version 1 do not tell of calls of fdopen():",
    "         FDOPENS is -1.",
};
constexpr std::string_view stdio_caveat_2[] = {
    "WARNING: OPENS counts the calls of FDOPENS too",
};
constexpr std::string_view stdio_caveat_3[] = {
    "WARNING: if a file was used through C streams and POSIX at once, what depends on offsets may be wrong:",
    "         the highest offsets",
};
constexpr ParserCaveat stdio_caveats[] = {
    {1, 1, stdio_caveat_1},
    {2, 255, stdio_caveat_2},
    {2, 255, stdio_caveat_3},
};
constexpr std::string_view mdhim_about[] = {
    "what the counters of MDHIM tell:",
    "  PUTS, GETS: requests that succeeded",
    "  PUT_MAX_SIZE, GET_MAX_SIZE: bytes of the largest value put and of the largest key asked for",
    "  SERVERS: servers of the store",
    "  F_PUT_TIMESTAMP, F_GET_TIMESTAMP: when the first of each began",
    "  F_PUT_MAX_DURATION, F_GET_MAX_DURATION: seconds of the largest of each",
    "  SERVER_*: requests to each server",
};
constexpr std::string_view apxc_about[] = {
    "what the lines of APXC tell:",
    "  the first record, about the whole job:",
    "    GROUPS: groups of the network in which it ran",
    "    CHASSIS: chassis in these",
    "    BLADES: blades, that is routers",
    "    MEMORY_MODE: how the nodes use their fast memory",
    "    MEMORY_MODE_CONSISTENT: 1 if that is the same on all",
    "    CLUSTER_MODE: how the cores of the nodes are grouped",
    "    CLUSTER_MODE_CONSISTENT: 1 if that is the same on all",
    "    APPLICATION_ID: number of the program for its launcher",
    "  the others, each about a router:",
    "    GROUP: its group",
    "    CHASSIS: its chassis in the group",
    "    BLADE: its blade in the chassis",
    "    NODE: the node that asked it",
    "    AR_RTR_*_INQ_PRF_INCOMING_FLIT_VC*: flits that arrived, by tile and channel",
    "    AR_RTR_*_INQ_PRF_ROWBUS_STALL_CNT: stalls of the row bus, by tile",
    "    AR_RTR_PT_*: the same of the tiles that lead to nodes",
    "    AR_RTR_PT_*_REQ_ROWBUS_STALL_CNT: stalls for requests",
    "    AR_RTR_PT_*_RSP_ROWBUS_STALL_CNT: stalls for responses",
};
constexpr std::string_view apmpi_about[] = {
    "what the lines of APMPI tell:",
    "  the first record, about all ranks:",
    "    MPI_TOTAL_COMM_TIME_VARIANCE: spread of the time in MPI",
    "    MPI_TOTAL_COMM_SYNC_TIME_VARIANCE: spread of the time of waiting in it",
    "  the others, each about a rank:",
    "    MPI_PROCESSOR_NAME: the node on which it ran",
    "    MPI_*_CALL_COUNT: calls of each operation",
    "    MPI_*_TOTAL_BYTES: bytes that they passed",
    "    MPI_*_MSG_SIZE_AGG_*: number of calls by these bytes",
    "    MPI_*_TOTAL_TIME: seconds in the calls",
    "    MPI_*_MIN_TIME: seconds of the shortest",
    "    MPI_*_MAX_TIME: seconds of the longest",
    "    MPI_*_TOTAL_SYNC_TIME: seconds of waiting before collective ones",
    "    MPI_TOTAL_COMM_TIME: seconds in all operations",
    "    MPI_TOTAL_COMM_SYNC_TIME: seconds of waiting, in all of them",
};
constexpr std::string_view heatmap_about[] = {
    "what the lines of HEATMAP tell:",
    "  F_BIN_WIDTH_SECONDS: how long a bin lasts",
    "  READ_BIN_*, WRITE_BIN_*: bytes moved in each bin by this rank, through the layer that the name tells",
};
constexpr std::string_view dfs_about[] = {
    "what the counters of DFS tell:",
    "  OPENS, GLOBAL_OPENS, LOOKUPS, DUPS, ...: number of calls of each kind",
    "  READS, READXS, WRITES, WRITEXS: plain and scattered accesses",
    "  NB_READS, NB_WRITES: those of them that do not wait",
    "  BYTES_READ, BYTES_WRITTEN: bytes moved",
    "  RW_SWITCHES: how often reading followed writing, or the other way round",
    "  MAX_READ_TIME_SIZE, MAX_WRITE_TIME_SIZE: bytes of the longest read and write",
    "  SIZE_READ_*, SIZE_WRITE_*: number of accesses by the bytes they moved",
    "  ACCESS1_ACCESS ... ACCESS4_ACCESS, ACCESS1_COUNT ... ACCESS4_COUNT: most frequent sizes",
    "  CHUNK_SIZE: bytes of a chunk of the file",
    "  FASTEST_RANK, SLOWEST_RANK: in shared records the ranks with least and most I/O time",
    "  FASTEST_RANK_BYTES, SLOWEST_RANK_BYTES: what these moved",
    "  F_*_START_TIMESTAMP: first start of each kind of call",
    "  F_*_END_TIMESTAMP: last end of each kind of call",
    "  F_READ_TIME, F_WRITE_TIME, F_META_TIME: seconds in calls, added up over the ranks of the record",
    "  F_MAX_READ_TIME, F_MAX_WRITE_TIME: seconds of the longest read and write",
    "  F_FASTEST_RANK_TIME, F_SLOWEST_RANK_TIME: I/O time of the two ranks named above",
};
constexpr std::string_view daos_about[] = {
    "what the counters of DAOS tell:",
    "  OBJ_OPENS, OBJ_FETCHES, OBJ_UPDATES, ...: calls on objects",
    "  OBJ_*_PUNCHES: parts of objects that were punched",
    "  OBJ_*_LISTS: listings of keys and extents",
    "  ARRAY_OPENS, ARRAY_READS, ARRAY_WRITES, ...: calls on arrays",
    "  KV_OPENS, KV_GETS, KV_PUTS, ...: calls on key-value stores",
    "  NB_OPS: those of all calls that do not wait",
    "  BYTES_READ, BYTES_WRITTEN: bytes moved",
    "  RW_SWITCHES: how often reading followed writing, or the other way round",
    "  MAX_READ_TIME_SIZE, MAX_WRITE_TIME_SIZE: bytes of the longest read and write",
    "  SIZE_READ_*, SIZE_WRITE_*: number of accesses by the bytes they moved",
    "  ACCESS1_ACCESS ... ACCESS4_ACCESS: most frequent sizes of accesses",
    "  ACCESS1_COUNT ... ACCESS4_COUNT: how often each of them occurred",
    "  OBJ_OTYPE: type of the object, as a number",
    "  ARRAY_CELL_SIZE, ARRAY_CHUNK_SIZE: bytes of a cell and cells of a chunk, of arrays",
    "  FASTEST_RANK, SLOWEST_RANK, FASTEST_RANK_BYTES, SLOWEST_RANK_BYTES: of shared records",
    "  F_*_START_TIMESTAMP: first start of each kind of call",
    "  F_*_END_TIMESTAMP: last end of each kind of call",
    "  F_READ_TIME, F_WRITE_TIME, F_META_TIME: seconds in calls, added up over the ranks of the record",
    "  F_MAX_READ_TIME, F_MAX_WRITE_TIME: seconds of the longest read and write",
    "  F_FASTEST_RANK_TIME, F_SLOWEST_RANK_TIME: I/O time of those two ranks",
};
// clang-format on

}  // namespace

constexpr Prose null_module{null_module_about, {}};
constexpr Prose posix{posix_about, posix_caveats};
constexpr Prose mpiio{mpiio_about, mpiio_caveats};
constexpr Prose h5f{h5f_about, h5f_caveats};
constexpr Prose h5d{h5d_about, h5d_caveats};
constexpr Prose pnetcdf_file{pnetcdf_file_about, pnetcdf_file_caveats};
constexpr Prose pnetcdf_var{pnetcdf_var_about, {}};
constexpr Prose bgq{bgq_about, {}};
constexpr Prose lustre{lustre_about, {}};
constexpr Prose stdio{stdio_about, stdio_caveats};
constexpr Prose mdhim{mdhim_about, {}};
constexpr Prose apxc{apxc_about, {}};
constexpr Prose apmpi{apmpi_about, {}};
constexpr Prose heatmap{heatmap_about, {}};
constexpr Prose dfs{dfs_about, {}};
constexpr Prose daos{daos_about, {}};

}  // namespace darrow::prose
