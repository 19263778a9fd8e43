; SPDX-License-Identifier: GPL-3.0-or-later
;
; What the scripts for batches have in common: the pictures of a folder.

(define (ends-with? text ending)
  (let ((start (- (string-length text) (string-length ending))))
    (and (>= start 0)
         (string=? (substring text start (string-length text)) ending))))

(define picture-endings
  '(".png" ".PNG" ".tif" ".TIF" ".tiff" ".TIFF" ".jpg" ".JPG" ".jpeg" ".JPEG"))

(define (picture? name)
  (let try ((endings picture-endings))
    (and (pair? endings)
         (or (ends-with? name (car endings)) (try (cdr endings))))))

; the name without its suffix
(define (stem-of name)
  (let find ((i (- (string-length name) 1)))
    (cond ((< i 1) name)
          ((char=? (string-ref name i) #\.) (substring name 0 i))
          (else (find (- i 1))))))

(define (insert-sorted name names)
  (if (or (null? names) (string<? name (car names)))
      (cons name names)
      (cons (car names) (insert-sorted name (cdr names)))))

; the names of the pictures, sorted
(define (list-pictures folder)
  (let ((stream (dir-open-stream folder)))
    (let read ((names '()))
      (let ((name (dir-read-entry stream)))
        (cond ((string? name)
               (read (if (picture? name) (insert-sorted name names) names)))
              ((null? names)
               (error (string-append "There are no pictures in “" folder "”.")))
              (else
               (dir-close-stream stream)
               names))))))

(define (same-size? layer width height)
  (and (= (car (gimp-drawable-get-width layer)) width)
       (= (car (gimp-drawable-get-height layer)) height)))

(define (full-size? image layer)
  (same-size? layer (car (gimp-image-get-width image)) (car (gimp-image-get-height image))))

(define thumbnail-side 256)   ; the longer one of the copy that GIMP adds to TIFF files in colors

(define (has-alpha? layer)
  (= (car (gimp-drawable-has-alpha layer)) TRUE))

; whether GIMP made the layer, the second page of a TIFF file, as a copy of the first one; their
; sizes may be equal; what GIMP reads as such a copy has alpha
(define (thumbnail? layer picture)
  (let* ((width (car (gimp-drawable-get-width picture)))
         (height (car (gimp-drawable-get-height picture)))
         (longer (max width height)))
    (and (same-size? layer
                     (max 1 (quotient (* width thumbnail-side) longer))
                     (max 1 (quotient (* height thumbnail-side) longer)))
         (has-alpha? layer)
         (not (and (= longer thumbnail-side) (has-alpha? picture))))))

; that of a small picture is larger, and so is the image
(define (remove-thumbnail image layers)
  (if (and (= (length layers) 2) (thumbnail? (car layers) (cadr layers)))
      (begin
        (gimp-image-remove-layer image (car layers))
        (gimp-image-resize image
                           (car (gimp-drawable-get-width (cadr layers)))
                           (car (gimp-drawable-get-height (cadr layers)))
                           0 0))))

; the only layer of a picture: of a TIFF file the page that is no thumbnail
(define (single-layer image)
  (remove-thumbnail image (vector->list (car (gimp-image-get-layers image))))
  (let find ((layers (vector->list (car (gimp-image-get-layers image)))) (pages '()))
    (cond ((null? layers)
           (if (= (length pages) 1) (car pages) (error "it has several pages")))
          ((full-size? image (car layers))
           (find (cdr layers) (cons (car layers) pages)))
          (else
           (gimp-image-remove-layer image (car layers))
           (find (cdr layers) pages)))))
