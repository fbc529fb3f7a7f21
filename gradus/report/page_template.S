// SPDX-License-Identifier: Apache-2.0
/* Embeds the bundled page. CMake defines GRADUS_PAGE_TEMPLATE, its path. */
    .section .rodata
    .global gradus_page_template
    .global gradus_page_template_end
gradus_page_template:
    .incbin GRADUS_PAGE_TEMPLATE
gradus_page_template_end:
    .section .note.GNU-stack, "", %progbits
